"""Which hand-ins of a class are alike, as the command line has it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tmagrade.basics.cache import PRIVATE_MODE
from tmagrade.basics.errors import UsageError, cannot_read
from tmagrade.basics.paths import HERE
from tmagrade.basics.printing import print_line
from tmagrade.commands.command_line import app, err, out, reported_errors
from tmagrade.course.labs import Lab, load_labs, select_labs

# What does the work is imported when it is asked for: other commands start without it.
if TYPE_CHECKING:
    from staff.similarity.alike import HandedIn, Pair
    from staff.term.term import Term
    from tmagrade.submissions.submission import Submission


@app.command()
def similar(
    submissions: Annotated[Path, typer.Option(help="The class, in whatever form `grade` takes.")],
    labs: Annotated[str, typer.Option(help="The lab's name, or its beginning.")],
    to: Annotated[Path, typer.Option(help="The page to write, for the course's staff alone.")] = Path("similar.html"),
    earlier: Annotated[
        list[Path] | None, typer.Option(help="Earlier classes of the same lab, to compare this one with.")
    ] = None,
    jplag: Annotated[
        Path | None, typer.Option(help="Also write the class into this folder, as JPlag takes it.")
    ] = None,
) -> None:
    """Lists the pairs of hand-ins that have more in common than the task explains, with the lines side by side.

    Names, comments and blanks count for nothing, and neither does the skeleton. Who shares a group in the term is no
    pair. Students' feedback says nothing of it.

    Example:

        tmagrade similar --submissions fall/lab3.zip --labs lab3 --earlier last-year/lab3.zip
    """
    with reported_errors():
        from staff.commands.term_here import write_for_staff
        from staff.similarity.alike import alike
        from staff.similarity.given import given_texts
        from staff.similarity.page import page
        from staff.term.term import open_term

        known = load_labs(HERE.labs)
        chosen = select_labs(known, labs)
        if len(chosen) != 1:
            raise UsageError("one lab at a time: " + ", ".join(lab.id for lab in chosen))
        [lab] = chosen
        term = open_term(HERE.term, known)
        class_ = _read(submissions, known, lab, "", term)
        texts = [one for one, _ in class_]
        for number, folder in enumerate(earlier or [], start=1):
            texts += [one for one, _ in _read(folder, known, lab, f"earlier {number}: ", None)]
        pairs = _without_groups(alike(texts, given_texts(HERE, lab)), class_, term)
        for pair in pairs:
            print_line(out, f"{pair.share * 100:3.0f} %  {pair.one.who}  {pair.other.who}")
        print_line(out, f"{lab.id}: {len(pairs)} pairs of {len(texts)} hand-ins are to be looked at")
        write_for_staff(to, page(lab.id, pairs).encode())  # also of none: no older page is to be taken for this one
        if jplag is not None:
            _export(jplag, [one for one in texts if not one.is_earlier], lab)


def _read(
    folder: Path, known: list[Lab], lab: Lab, before: str, term: "Term | None"
) -> "list[tuple[HandedIn, Submission]]":
    """The texts of a class, by the roster's ids where there is a term."""
    from staff.platforms.find import find_submissions
    from staff.similarity.alike import HandedIn
    from staff.similarity.plain_macros import MOST_WORDS
    from staff.similarity.tokens import has_too_many_words
    from staff.term.identities import identify
    from tmagrade.submissions.packing import sources_of

    zone = term.settings.zone if term is not None else None
    found = find_submissions(folder, known, [lab], HERE.unpacked, zone=zone).submissions
    read: list[tuple[HandedIn, Submission]] = []
    for submission in found if term is None else identify(found, term.roster_of).submissions:
        try:
            sources = {} if submission.problem or submission.fault else sources_of(submission.folder)
        except (UsageError, OSError) as error:
            said = str(error) if isinstance(error, UsageError) else cannot_read(error)
            print_line(err, f"tmagrade: not compared: {submission.student}: {said}", "yellow")
            continue
        text = "\n".join(f"// {name}\n{content.decode(errors='replace')}" for name, content in sources.items())
        if has_too_many_words(text):
            said = f"more than {MOST_WORDS:,} words, which nobody writes by hand: it is to be looked at"
            print_line(err, f"tmagrade: not compared: {submission.student}: {said}", "yellow")
            continue
        read.append((HandedIn(before + submission.student, text, bool(before)), submission))
    return read


def _without_groups(
    pairs: "Sequence[Pair]", class_: "Sequence[tuple[HandedIn, Submission]]", term: "Term | None"
) -> "list[Pair]":
    if term is None:
        return list(pairs)
    groups = {
        one.who: {
            person.group for person in term.roster_of(submission.lab.id).who(submission.platform, submission.called)
        }
        - {""}
        for one, submission in class_
    }
    return [pair for pair in pairs if not groups.get(pair.one.who, set()) & groups.get(pair.other.who, set())]


def _export(folder: Path, class_: "Sequence[HandedIn]", lab: Lab) -> None:
    """A folder a student, and `base` with what the course has given: `java -jar jplag.jar -l cpp -bc base FOLDER`."""
    from staff.outputs.folder import folder_name
    from staff.similarity.given import given_texts

    if folder.exists() and any(folder.iterdir()):
        raise UsageError(f"{folder} is not empty; nothing was written there")
    texts = {folder_name(one.who): one.text for one in class_} | {"base": "\n".join(given_texts(HERE, lab))}
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(PRIVATE_MODE)
    for name, text in texts.items():
        (folder / name).mkdir()
        (folder / name / f"{lab.id}.cpp").write_text(text, encoding="utf-8")
    print_line(out, f"written for JPlag: {folder}")
