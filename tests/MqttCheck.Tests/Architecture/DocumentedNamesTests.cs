namespace MqttCheck.Tests.Architecture;

/// <summary>Pages about the code name only code that there is.</summary>
[TestFixture]
internal sealed class DocumentedNamesTests
{
    [TestCase("docs/architecture.md")]
    [TestCase("docs/extending.md")]
    public void A_page_names_only_code_that_exists(string page)
    {
        var names = new DocumentedNames(
            [.. Repository.Source, .. Repository.Tests],
            path => Path.Exists(RepositoryFiles.At(path))
        );
        Assert.That(names.Unknown(File.ReadAllText(RepositoryFiles.At(page))), Is.Empty);
    }

    [TestCase("Table", TestName = "A type")]
    [TestCase("Table.Rows", TestName = "A property of a type")]
    [TestCase("Table.Add(row)", TestName = "A method of a type, called")]
    [TestCase("Colour.Red", TestName = "A value of an enumeration")]
    [TestCase("Adds_a_row", TestName = "A method by itself")]
    [TestCase("Logs", TestName = "A folder")]
    [TestCase("MqttCheck.Pages/Logs", TestName = "A folder in its project")]
    [TestCase("Table.cs", TestName = "A file")]
    [TestCase("scripts/release", TestName = "A file that is no code")]
    [TestCase("--broker exec:x", TestName = "No code at all")]
    [TestCase("compare", TestName = "A command")]
    public void What_exists_is_known(string name) => Assert.That(Unknown(name), Is.Empty);

    [TestCase("Tables")]
    [TestCase("Table.Columns")]
    [TestCase("Colour.Blue")]
    [TestCase("Logs.cs")]
    [TestCase("MqttCheck.Page")]
    [TestCase("src/MqttCheck.Pages/Log")]
    public void What_does_not_exist_is_found(string name) => Assert.That(Unknown(name), Is.EqualTo([name]));

    private static IEnumerable<string> Unknown(string name) =>
        new DocumentedNames(
            [
                new(
                    "src/MqttCheck.Pages/Logs/Table.cs",
                    "record Table(int Rows) { void Add(int row) { } void Adds_a_row() { } } enum Colour { Red }"
                ),
            ],
            path => path == "scripts/release"
        ).Unknown($"See `{name}` there.");
}
