"""Two hundred names in twenty scripts, and what three platforms make of them, by their own sources."""

import re
import unicodedata
from itertools import product

# Family names, and given names.
SCRIPTS = {
    "Latin": ("Müller Nguyễn", "Zoë İpek Ádám Ægir Łukasz"),
    "Latin, other letters": ("O'Connor-Weiß Ōe", "Iñaki Đorđe Ţiņa Ħelen Ọlá"),
    "Greek": ("Παπαδόπουλος Ελύτης", "Ζωή Γιώργος Άννα Θεΐς Αλέξης"),
    "Cyrillic": ("Йовкова Ґалаґан", "Ёлка Андрій Наталія Юлия Љубица"),
    "Armenian": ("Պետրոսյան Եվոյան", "Արամ Աննա Գոռ Հայկ Նարե"),
    "Georgian": ("კაპანაძე ლომიძე", "ნინო გიორგი ანა დათო თეა"),
    "Hebrew": ("כֹּהֵן לוי", "אָדָם שׂרה נעה דוד רות"),
    "Arabic": ("العَبّاسي حسّان", "مُحمّد فاطمة آدم ليلى عمر"),
    "Persian": ("می‌خواه رضایی", "نیما پریسا گیتی چیستا ژاله"),
    "Devanagari": ("शर्मा त्रिपाठी", "श्रीदेवी अनिल कृष्ण गीता ज़ोया"),
    "Bengali": ("মুখোপাধ্যায় সেন", "রবীন্দ্র অমিত মৌ কৃষ্ণা শ্রী"),
    "Tamil": ("சுப்ரமணியன் ராமன்", "மீனாட்சி குமார் ஸ்ரீ கோபால் பூமா"),
    "Telugu": ("రెడ్డి నాయుడు", "శ్రీనివాస్ గీత కృష్ణ లక్ష్మి రాము"),
    "Sinhala": ("පෙරේරා සිල්වා", "චමින්ද නුවන් කුමාරි දිල්කි ශ්‍රියා"),
    "Thai": ("สุวรรณ ศรีสุข", "สมชาย พิมพ์ ก้อง น้ำฝน วิชัย"),
    "Burmese": ("အောင် ကျော်", "မြင့် စန္ဒာ ဖြိုး သူဇာ နွယ်"),
    "Khmer": ("សុខ ជា", "វិសាល ស្រី បូផា ភ័ក្ដ្រ ចន្ធូ"),
    "Ethiopic": ("ተስፋዬ ኃይሌ", "አበበ ሰላም ብርሃን ሐና ያሬድ"),
    "Japanese and Chinese": ("山田 歐陽", "ぴよ ガブリエル 太郎 美咲 明"),
    "Korean": ("김 남궁", "민수 하늘 지영 서준 은지"),
}
NAMES = [
    (family, given)
    for families, givens in SCRIPTS.values()
    for family, given in product(families.split(), givens.split())
]


def canvas_name(family: str, given: str) -> str:
    """sortable_name.downcase, of which [[:word:]] stays: Letter, Mark, Decimal_Number and Connector_Punctuation
    (get_filename() in lib/content_zipper.rb of instructure/canvas-lms; doc/regexp/unicode_properties.rdoc of Ruby)."""
    lower = f"{family}, {given}".lower()
    return "".join(c for c in lower if unicodedata.category(c)[0] in "LM" or unicodedata.category(c) in ("Nd", "Pc"))


def moodle_name(family: str, given: str) -> str:
    """The full name, `_` as a blank, cleaned as PARAM_FILE (download_submissions() in mod/assign/locallib.php, and
    lib/moodlelib.php of moodle/moodle). Of control characters, those of ASCII alone are left out there."""
    return re.sub(r"[\x00-\x1f\x7f&<>\"`|':\\/]", "", f"{given} {family}".replace("_", " "))


def gradescope_metadata(people: dict[str, tuple[str, str]]) -> str:
    """submission_metadata.yml: people by e-mail address, with names as they are."""
    return "".join(
        f"submission_{place}:\n  :submitters:\n  - :name: {given} {family}\n    :email: {email}\n"
        for place, (email, (family, given)) in enumerate(people.items())
    )
