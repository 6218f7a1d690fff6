"""The grader's command line: builds submissions, has the judge try them, and applies each lab's points."""
