namespace MqttCheck.Tests.Architecture;

/// <summary>Public is what a user calls, and what such a call needs.</summary>
[TestFixture]
internal sealed class PublicTypesTests
{
    /// <summary>Pages for those who change the code; what they name may be internal.</summary>
    private static readonly string[] s_maintainers = ["architecture.md", "extending.md"];

    [Test]
    public void Public_is_only_what_a_user_calls() =>
        Assert.That(
            PublicTypes.Unneeded(
                Repository.Source,
                ["MqttCheck.Testing", "MqttCheck.NUnit", "MqttCheck.MqttNet"],
                [
                    File.ReadAllText(RepositoryFiles.At("README.md")),
                    .. Texts("docs", "*.md", path => !path.Contains("/evidence/", StringComparison.Ordinal)),
                ],
                Texts("samples", "*.cs", _ => true)
            ),
            Is.Empty
        );

    [TestCase("public class Planted;", TestName = "A type that nobody names is found")]
    [TestCase("public enum Planted { A }", TestName = "An enumeration that nobody names is found")]
    [TestCase("public delegate void Planted();", TestName = "A delegate that nobody names is found")]
    [TestCase(
        "class Hidden { public Planted P; } public class Planted;",
        TestName = "An internal type asks for nothing"
    )]
    [TestCase(
        "public class Paged { Planted P; } public class Planted;",
        TestName = "A private member asks for nothing"
    )]
    [TestCase(
        "public class Paged { public void M() { Planted.N(); } } public class Planted;",
        TestName = "A body asks for nothing"
    )]
    public void An_unneeded_public_type_is_found(string code) =>
        Assert.That(Unneeded(code), Has.Exactly(1).Contains("Planted is public"));

    [TestCase("public class Paged;", TestName = "A page names it")]
    [TestCase("public class Blocked;", TestName = "A block of code of a page names it")]
    [TestCase("public class Sampled;", TestName = "A sample names it")]
    [TestCase(
        "public class Paged { public Needed M() => null; } public class Needed;",
        TestName = "A public member returns it"
    )]
    [TestCase(
        "public class Paged { protected void M(Needed[] all) {} } public class Needed;",
        TestName = "A protected member takes it"
    )]
    [TestCase(
        "public class Paged : Base; public class Base { public Needed P; } public enum Needed;",
        TestName = "A base has it"
    )]
    [TestCase("public interface Paged { Needed M(); } public class Needed;", TestName = "An interface returns it")]
    [TestCase("internal class Hidden;", TestName = "It is not public")]
    [TestCase("class Hidden { public class Inner; }", TestName = "The type around it is not public")]
    public void A_type_is_public_where_a_user_calls_it(string code) => Assert.That(Unneeded(code), Is.Empty);

    [Test]
    public void Types_of_an_assembly_for_users_are_public() =>
        Assert.That(Unneeded("public class Planted;", "MqttCheck.Logs"), Is.Empty);

    private static IEnumerable<string> Unneeded(string code, string api = "MqttCheck.NUnit") =>
        PublicTypes.Unneeded(
            [new("src/MqttCheck.Logs/C.cs", code)],
            [api],
            ["See `Paged.M`, and `src/Planted.cs`.\n```csharp\nnew Blocked()\n```\n"],
            ["var a = new Sampled();"]
        );

    private static IEnumerable<string> Texts(string folder, string pattern, Func<string, bool> isWanted) =>
        Directory
            .EnumerateFiles(RepositoryFiles.At(folder), pattern, SearchOption.AllDirectories)
            .Where(path => !s_maintainers.Contains(Path.GetFileName(path)) && isWanted(path))
            .Select(File.ReadAllText);
}
