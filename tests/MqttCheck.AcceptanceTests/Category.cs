// Each test runs the tool as a user would, with brokers of its own.
[assembly: Category("Whole")]
