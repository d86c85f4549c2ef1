namespace MqttCheck.Tests.Architecture;

/// <summary>Each rule finds a violation that is planted, and lets the same code pass without it.</summary>
[TestFixture]
internal sealed class HouseRulesTests
{
    [Test]
    public void A_reference_that_is_not_allowed_is_found()
    {
        const string Project =
            """<Project><ItemGroup><ProjectReference Include="../MqttCheck.Plots/MqttCheck.Plots.csproj" /></ItemGroup></Project>""";
        Assert.That(
            HouseRules.ForbiddenReferences("A", Project, Allowed("MqttCheck")),
            Is.EqualTo(["A refers to MqttCheck.Plots"])
        );
        Assert.That(HouseRules.ForbiddenReferences("A", Project, Allowed("MqttCheck.Plots")), Is.Empty);
        Assert.That(
            HouseRules.ForbiddenReferences("B", Project, Allowed()),
            Is.EqualTo(["B is not in the list of assemblies"])
        );

        static Dictionary<string, string[]> Allowed(params string[] names) => new() { ["A"] = names };
    }

    private static IEnumerable<TestCaseData> Planted()
    {
        SourceFile[] full = [.. Enumerable.Range(0, 26).Select(i => File($"src/MqttCheck/Logs/A{i}.cs", ""))];
        var wide = "//\n// " + new string('x', 118);
        var interval = File("src/MqttCheck/Logs/A.cs", "namespace MqttCheck.Logs; class Interval;");
        var more = File("src/MqttCheck/Logs/A.More.cs", "namespace MqttCheck.Logs; partial class Interval;");
        var other = File("src/MqttCheck/Health/B.cs", "namespace MqttCheck.Health; enum Interval;");
        var decides = "var code = ExitCode.Refuted;";
        return
        [
            Row(
                "a room that uses a later one",
                Rooms,
                [
                    File(
                        "src/MqttCheck/Statistics/A.cs",
                        "using MqttCheck.Protocol.Frames;\nnamespace MqttCheck.Statistics;"
                    ),
                ],
                "src/MqttCheck/Statistics/A.cs uses Protocol, which comes after Statistics",
                [File("src/MqttCheck/Protocol/A.cs", "using MqttCheck.Statistics;\nnamespace MqttCheck.Protocol;")]
            ),
            Row(
                "a room without a place",
                Rooms,
                [File("src/MqttCheck/Attic/A.cs", "namespace MqttCheck.Attic;")],
                "src/MqttCheck/Attic/A.cs: the room Attic has no place in the order of MqttCheck",
                []
            ),
            Row(
                "a folder with one file too many",
                files => HouseRules.FullFolders(files, 25),
                full,
                "src/MqttCheck/Logs holds 26 files",
                full[1..]
            ),
            Row(
                "a namespace that is not its folder",
                HouseRules.MisplacedNamespaces,
                [File("src/MqttCheck/Logs/A.cs", "namespace MqttCheck.Health;")],
                "src/MqttCheck/Logs/A.cs: namespace MqttCheck.Health instead of MqttCheck.Logs",
                [interval]
            ),
            Row(
                "a type name that is declared in two folders",
                HouseRules.RepeatedTypeNames,
                [interval, other],
                "Interval is declared in src/MqttCheck/Logs and src/MqttCheck/Health",
                [interval, more]
            ),
            Row(
                "a line that is too long",
                files => HouseRules.LongLines(files, 120),
                [File("src/MqttCheck/Logs/A.cs", wide)],
                "src/MqttCheck/Logs/A.cs:2 has 121 columns",
                [File("src/MqttCheck/Logs/A.cs", wide[..^1])]
            ),
            Row(
                "a public type of the tool",
                HouseRules.PublicTypes,
                [File("src/MqttCheck.Cli/A.cs", "namespace MqttCheck.Cli; public class A;")],
                "src/MqttCheck.Cli/A.cs: A is public",
                [File("src/MqttCheck.Cli/A.cs", "namespace MqttCheck.Cli; internal class A { public class B; }")]
            ),
            Row(
                "a command that decides on an exit code",
                HouseRules.ExitCodes,
                [File("src/MqttCheck.Cli/Bench/A.cs", decides)],
                "src/MqttCheck.Cli/Bench/A.cs decides on ExitCode.Refuted",
                [
                    File("src/MqttCheck.Cli/A.cs", decides),
                    File("src/MqttCheck.Cli/Bench/A.cs", "var code = ExitCode.Of(conclusion);"),
                ]
            ),
            Library("the console in the library", "Console.WriteLine();", "Console."),
            Library("a socket in the library", "System.Net.Sockets.Socket s;", "System.Net.Sockets"),
            Library("foreign code in the library", "[LibraryImport(\"c\")]", "LibraryImport"),
        ];

        static IEnumerable<string> Rooms(SourceFile[] files) =>
            HouseRules.RoomsOutOfOrder(files, "MqttCheck", ["Statistics", "Protocol"]);

        static TestCaseData Row(
            string name,
            Func<SourceFile[], IEnumerable<string>> rule,
            SourceFile[] wrong,
            string found,
            SourceFile[] right
        ) => new TestCaseData(rule, wrong, found, right).SetArgDisplayNames(name);

        static TestCaseData Library(string name, string code, string found) =>
            Row(
                name,
                HouseRules.InputAndOutput,
                [File("src/MqttCheck/Logs/A.cs", code)],
                "src/MqttCheck/Logs/A.cs: " + found,
                [File("src/MqttCheck/Logs/A.cs", "writer.WriteLine();")]
            );
    }

    [TestCaseSource(nameof(Planted))]
    public void What_breaks_a_rule_is_found_and_what_does_not_is_not(
        Func<SourceFile[], IEnumerable<string>> rule,
        SourceFile[] wrong,
        string found,
        SourceFile[] right
    )
    {
        Assert.That(rule(wrong), Is.EqualTo([found]));
        Assert.That(rule(right), Is.Empty);
    }

    [TestCase("Orleans", "A restores Microsoft.Orleans.Core")]
    [TestCase("Cluster", "A restores MqttCheck.Clusters")]
    [TestCase("AspNet", "A restores Microsoft.AspNetCore.App")]
    [TestCase("Kafka", null)]
    public void A_package_a_project_or_a_framework_that_is_restored_is_found(string word, string? found)
    {
        var files = new Dictionary<string, string>
        {
            ["A.csproj"] = """<Project><ProjectReference Include="../B/B.csproj" /></Project>""",
            ["B.csproj"] = """<Project><ProjectReference Include="../C/MqttCheck.Clusters.csproj" /></Project>""",
            ["MqttCheck.Clusters.csproj"] =
                """<Project><FrameworkReference Include="Microsoft.AspNetCore.App" /></Project>""",
            ["packages.lock.json"] =
                """{ "dependencies": { "net10.0": { "Microsoft.Orleans.Core": { "type": "Transitive" } } } }""",
        };
        Assert.That(
            HouseRules.Restored("A", (_, file) => files[file], word),
            Is.EqualTo(found is null ? [] : new[] { found })
        );
    }

    [TestCase("string s = \"{0}\";", true)]
    [TestCase("string s = $\"{0}\";", true)]
    [TestCase("string s = @\"{0}\";", false)]
    [TestCase("string s = \"\"\"{0}\"\"\";", false)]
    [TestCase("string s = $\"\"\"{0}{{1}}\"\"\";", false)]
    [TestCase("string s = \"\"\"\n    {0}\n    \"\"\";", false)]
    public void A_long_line_of_a_document_in_the_code_is_none_of_the_code(string code, bool isFound)
    {
        var file = File("src/MqttCheck/Logs/A.cs", "class A {" + string.Format(code, new string('x', 130)) + "}");
        Assert.That(HouseRules.LongLines([file], 120).Any(), Is.EqualTo(isFound));
    }

    [Test]
    public void A_method_that_is_too_long_is_found_unless_it_is_marked()
    {
        static SourceFile Method(string comment, int lines) =>
            File(
                "src/MqttCheck/Logs/A.cs",
                $"namespace MqttCheck.Logs;\nclass A\n{{\n    {comment}\n    void M()\n    "
                    + $"{{{string.Concat(Enumerable.Repeat("\n        ;", lines - 3))}\n    }}\n}}"
            );
        Assert.That(
            HouseRules.LongMethods([Method("// Why.", 61)], 60),
            Is.EqualTo(["src/MqttCheck/Logs/A.cs:5 M has 61 lines"])
        );
        Assert.That(HouseRules.LongMethods([Method("// Why.", 60)], 60), Is.Empty);
        Assert.That(
            HouseRules.LongMethods([Method("// Hot loop: a call costs more than the work.", 61)], 60),
            Is.Empty
        );
    }

    [TestCase("var name = \"mosquitto:tuned\";", "mosquitto")]
    [TestCase("var name = $\"or {other}, NATS\";", "NATS")]
    [TestCase("var name = \"\"\"one of aedes and others\"\"\";", "aedes")]
    public void The_name_of_a_broker_away_from_where_brokers_are_started_is_found(string code, string name)
    {
        const string home = "src/MqttCheck.Brokers/Processes";
        Assert.That(
            HouseRules.BrokerNames([File("src/MqttCheck.Cli/A.cs", code)], home),
            Is.EqualTo([$"src/MqttCheck.Cli/A.cs names the broker {name}"])
        );
        Assert.That(HouseRules.BrokerNames([File(home + "/Recipes/A.cs", code)], home), Is.Empty);
        Assert.That(HouseRules.BrokerNames([File("src/MqttCheck.Cli/A.cs", "// " + code)], home), Is.Empty);
    }

    [TestCase("_ = note.Contains(\"not trust\");", TestName = "A search for words decides")]
    [TestCase("_ = note.EndsWith(\"beginning with $\", System.StringComparison.Ordinal);", TestName = "An end decides")]
    [TestCase("_ = note == \"no answer\";", TestName = "A comparison decides")]
    [TestCase("_ = note is \"a\" or \"no answer\";", TestName = "A pattern decides")]
    [TestCase("switch (note) { case \"no answer\": break; }", TestName = "A case decides")]
    public void A_decision_by_reading_a_sentence_is_found(string code) =>
        Assert.That(DecisionsByText(code), Has.Exactly(1).Contains("src/MqttCheck/Logs/A.cs:1 decides by the words"));

    [TestCase("_ = key.Contains(\"trust\");", TestName = "A word of a format may be searched")]
    [TestCase("_ = key is \"empty-level\";", TestName = "A code may be compared")]
    [TestCase("note.Add(\"Do not trust this.\");", TestName = "A sentence may be said")]
    [TestCase("_ = \"no answer\" + \" in time\";", TestName = "A sentence may be put together")]
    public void Code_that_reads_no_sentence_passes(string code) => Assert.That(DecisionsByText(code), Is.Empty);

    private static IEnumerable<string> DecisionsByText(string code) =>
        HouseRules.DecisionsByText([File("src/MqttCheck/Logs/A.cs", $"class C {{ void M() {{ {code} }} }}")]);

    [Test]
    public void A_command_that_uses_a_rule_is_found_but_not_one_that_says_an_answer()
    {
        SourceFile[] files =
        [
            File("src/MqttCheck/Sequential/Runs/Looks.cs", "class Looks; enum Word; class Answer;"),
            File("src/MqttCheck/Logs/Record.cs", "class Record;"),
            File("src/MqttCheck.Cli/A.cs", "var looks = new Looks(Word.Yes, new Record(), new Answer());"),
            File("src/MqttCheck.App/A.cs", "var looks = new Looks();"),
        ];
        Assert.That(
            HouseRules.UsedRules(files, ["MqttCheck.Cli"], ["src/MqttCheck/Sequential"], "Answer"),
            Is.EqualTo(["src/MqttCheck.Cli/A.cs uses Looks"])
        );
    }

    [TestCase("new Simulator(1);", "Simulator")]
    [TestCase("Simulator.Run<int>(1);", "Simulator")]
    [TestCase("Simulator.Run(1).Text();", "Simulator")]
    [TestCase("plan.Simulator.Run(1);", null)]
    [TestCase("Simulator.Parse(text);", null)]
    [TestCase("Catalogue.Of(name);", null)]
    [TestCase("new Options(1);", null)]
    [TestCase("Text.Of(Simulator.Most);", null)]
    public void A_command_that_does_the_work_of_a_room_is_found_but_not_one_that_asks_for_it(string code, string? found)
    {
        SourceFile[] files =
        [
            File("src/MqttCheck/Simulation/A.cs", "class Simulator; static class Catalogue; record Options(int Most);"),
            File("src/MqttCheck/Text/A.cs", "static class Text;"),
            File("src/MqttCheck.Cli/A.cs", code),
            File("src/MqttCheck.App/A.cs", "new Simulator();"),
        ];
        Assert.That(
            HouseRules.OwnWork(files, "MqttCheck.Cli", ["src/MqttCheck/Simulation"], "Catalogue"),
            Is.EqualTo(found is null ? [] : new[] { $"src/MqttCheck.Cli/A.cs does the work of {found}" })
        );
    }

    [TestCase("/// <summary>What it does.</summary>", "What")]
    [TestCase("/// <summary>\n/// Whoever asks.\n/// </summary>", "Whoever")]
    [TestCase("    // Where it goes.", "Where")]
    [TestCase("//Of several, the first.", "Of")]
    public void A_comment_that_opens_without_a_subject_is_found(string comment, string word)
    {
        var line = comment.StartsWith("/// <summary>\n", StringComparison.Ordinal) ? 3 : 2;
        Assert.That(
            HouseRules.CommentsWithoutSubject([File("src/MqttCheck/Logs/A.cs", "class A;\n" + comment)]),
            Is.EqualTo([$"src/MqttCheck/Logs/A.cs:{line} opens a comment with {word}"])
        );
    }

    [TestCase("/// <summary>The work that it does. What follows is lost.</summary>")]
    [TestCase("// Offers go to the peer.")]
    [TestCase("var question = \"What is it?\";")]
    public void A_comment_that_opens_with_a_subject_passes(string code) =>
        Assert.That(HouseRules.CommentsWithoutSubject([File("src/MqttCheck/Logs/A.cs", code)]), Is.Empty);

    private static SourceFile File(string path, string text) => new(path, text);
}
