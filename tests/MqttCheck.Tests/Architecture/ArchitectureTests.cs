namespace MqttCheck.Tests.Architecture;

/// <summary>What docs/architecture.md says of the house, kept. A new room or assembly gets its place here.</summary>
[TestFixture]
internal sealed class ArchitectureTests
{
    private const int MostFilesOfAFolder = 25;

    /// <summary>The rooms of each assembly, in the order of the flow: a room uses rooms before it.</summary>
    private static readonly Dictionary<string, string[]> s_rooms = new()
    {
        ["MqttCheck"] =
        [
            "Text",
            "Json",
            "Statistics",
            "Protocol",
            "Profiles",
            "Clients",
            "Health",
            "Logs",
            "Latency",
            "Simulation",
            "Learning",
            "Sequential",
            "Predictions",
            "Verification",
            "Comparison",
            "Requirements",
            "Properties",
            "Auditing",
            "Broker",
            "Conformance",
        ],
        ["MqttCheck.Automata"] = ["Networks", "Engine", "Splitting", "Exchange", "Clients"],
        ["MqttCheck.Brokers"] = ["Wire", "Processes", "Embedded", "Fleets", "Loads", "Campaigns", "Conformance"],
        ["MqttCheck.MqttNet"] = ["Client", "Server"],
        ["MqttCheck.Reports"] = ["Input", "Builders", "Formats", "Page", "Documents"],
        ["MqttCheck.Plots"] = ["Data", "Drawing", "Charts"],
        ["MqttCheck.Testing"] = ["Reporting", "Sequences", "Requirements"],
        ["MqttCheck.NUnit"] = [],
        ["MqttCheck.Cli"] =
        [
            "Terminal",
            "Live",
            "Results",
            "Options",
            "Serve",
            "Explore",
            "Learn",
            "Predict",
            "VerifyProperty",
            "Verify",
            "Compare",
            "Check",
            "Report",
            "Run",
            "Calibrate",
            "Bench",
            "Audit",
            "Estimate",
            "LargestFleet",
            "CheckModel",
            "Split",
            "Export",
            "Selfcheck",
        ],
    };

    /// <summary>
    /// What each assembly may refer to. An assembly can be left out where nothing in use refers to it.
    /// </summary>
    private static readonly Dictionary<string, string[]> s_references = new()
    {
        ["MqttCheck"] = [],
        ["MqttCheck.Automata"] = ["MqttCheck"],
        ["MqttCheck.Brokers"] = ["MqttCheck"],
        ["MqttCheck.MqttNet"] = ["MqttCheck", "MqttCheck.Brokers"],
        ["MqttCheck.Reports"] = ["MqttCheck"],
        ["MqttCheck.Plots"] = ["MqttCheck", "MqttCheck.Reports"],
        ["MqttCheck.Testing"] = ["MqttCheck", "MqttCheck.Brokers", "MqttCheck.Reports", "MqttCheck.Plots"],
        ["MqttCheck.NUnit"] = ["MqttCheck", "MqttCheck.Brokers", "MqttCheck.Testing"],
        ["MqttCheck.Cli"] =
        [
            "MqttCheck",
            "MqttCheck.Automata",
            "MqttCheck.Brokers",
            "MqttCheck.MqttNet",
            "MqttCheck.Reports",
            "MqttCheck.Plots",
        ],
    };

    [TestCaseSource(nameof(Projects))]
    public void A_room_uses_only_rooms_that_come_before_it(string project) =>
        Assert.That(HouseRules.RoomsOutOfOrder(Repository.Source, project, s_rooms[project]), Is.Empty);

    [TestCaseSource(nameof(Projects))]
    public void An_assembly_refers_only_to_those_that_it_may_refer_to(string project) =>
        Assert.That(
            HouseRules.ForbiddenReferences(
                project,
                File.ReadAllText(Path.Combine(Repository.Root, "src", project, project + ".csproj")),
                s_references
            ),
            Is.Empty
        );

    [Test]
    public void Every_assembly_has_its_place() =>
        Assert.That(
            Directory.GetDirectories(Path.Combine(Repository.Root, "src")).Select(Path.GetFileName),
            Is.EquivalentTo(s_rooms.Keys)
        );

    [Test]
    public void A_folder_holds_few_enough_files_to_be_read_at_a_glance() =>
        Assert.That(HouseRules.FullFolders([.. Repository.Source, .. Repository.Tests], MostFilesOfAFolder), Is.Empty);

    [Test]
    public void A_namespace_is_the_path_of_its_folder() =>
        Assert.That(HouseRules.MisplacedNamespaces([.. Repository.Source, .. Repository.Tests]), Is.Empty);

    [Test]
    public void A_type_name_means_one_thing() => Assert.That(HouseRules.RepeatedTypeNames(Repository.Source), Is.Empty);

    [Test]
    public void No_type_of_the_tool_is_public() =>
        Assert.That(HouseRules.PublicTypes(Repository.Source.Where(file => file.Project == "MqttCheck.Cli")), Is.Empty);

    [Test]
    public void The_library_opens_no_socket_and_prints_nothing() =>
        Assert.That(
            HouseRules.InputAndOutput(
                Repository.Source.Where(file => file.Project is "MqttCheck" or "MqttCheck.Automata")
            ),
            Is.Empty
        );

    [Test]
    public void Installed_brokers_are_named_only_where_they_are_started() =>
        Assert.That(HouseRules.BrokerNames(Repository.Source, "src/MqttCheck.Brokers/Processes"), Is.Empty);

    private static string[] Projects() => [.. s_rooms.Keys];
}
