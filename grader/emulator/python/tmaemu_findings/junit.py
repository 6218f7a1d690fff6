"""JUnit's XML, for whatever shows tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from tmaemu_findings.known import Told

# What XML 1.0 cannot hold, section 2.2.
NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(told: Sequence[Told]) -> ElementTree.Element:
    """A test case for each finding: failed, or skipped where it is known. One that passes where nothing was found."""
    suite = ElementTree.Element("testsuite", name="tmaemu", errors="0")
    suite.set("tests", str(max(len(told), 1)))
    suite.set("failures", str(sum(each.known is None for each in told)))
    suite.set("skipped", str(sum(each.known is not None for each in told)))
    for each in told:
        found = each.found
        case = ElementTree.SubElement(suite, "testcase", classname=_xml(found.code), name=_xml(found.place.text))
        if each.known is None:
            failure = ElementTree.SubElement(case, "failure", message=_xml(found.message), type=_xml(found.code))
            failure.text = _xml(found.whole_text)
        else:
            ElementTree.SubElement(case, "skipped", message=_xml(each.known.reason))
    if not told:
        ElementTree.SubElement(suite, "testcase", classname="tmaemu", name="nothing found")
    suites = ElementTree.Element("testsuites")
    suites.append(suite)
    ElementTree.indent(suites)
    return suites


def _xml(text: str) -> str:
    return NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
