#!/usr/bin/env bash
# Makes .venv that of this folder: pip writes the folder's name into the programs that it installs, and a repository
# may be moved or copied with its .venv. What an earlier set-up wrote by absolute names is mended, too.
# Usage: here.sh REPOSITORY
set -euo pipefail
cd "$1"

for environment in .venv .venv/site; do
    [ -d "$environment/bin" ] || continue
    python=$(pwd -P)/$environment/bin/python
    for program in "$environment"/bin/*; do
        # The first line alone, of a text alone: "#!/old/place/.venv/bin/python".
        if [ -f "$program" ] && [ ! -L "$program" ] && head -c 300 "$program" | head -n 1 | tr -d '\0' |
            grep -q "^#!.*/$environment/bin/python[0-9.]*$"; then
            sed -i "1s|.*|#!$python|" "$program"
        fi
    done
done

site=$(.venv/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
if [ -e "$site/tmagrade.pth" ]; then
    packages=$(grep -q '/prebuilt/python$' "$site/tmagrade.pth" && echo prebuilt/python || true)
    realpath --relative-to="$site" grader $packages >"$site/tmagrade.pth"
fi

# The toolkit of NVIDIA's wheels is a part of .venv.
toolkit=$(readlink .venv/cuda || true)
case $toolkit in
/*/.venv/*) [ ! -d ".venv/${toolkit##*/.venv/}" ] || ln -sfn "${toolkit##*/.venv/}" .venv/cuda ;;
esac
