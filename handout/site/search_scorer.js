// Which of the pages found come first. Sphinx puts this in its own script.
//
// A page of a finding and one of the guide say what a word means; the others use it. So they come before all others,
// whose scores stay below 100.
var Scorer = {
  score: ([page, , , , score]) => score + (/^(findings|guide)\//.test(page) ? 100 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
