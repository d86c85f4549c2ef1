using MqttCheck.Clients;

namespace MqttCheck.Tests.Architecture;

/// <summary>What docs/architecture.md says of the house, kept. A new room or assembly gets its place here.</summary>
[TestFixture]
internal sealed class ArchitectureTests
{
    private const int MostFilesOfAFolder = 25;
    private const int MostColumns = 120;
    private const int MostLinesOfAMethod = 60;

    /// <summary>The rooms of each assembly, in the order of the flow: a room uses rooms before it.</summary>
    private static readonly Dictionary<string, string[]> s_rooms = new()
    {
        ["MqttCheck"] =
        [
            "Text",
            "Json",
            "Statistics",
            "Signals",
            "Shards",
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
        ],
        ["MqttCheck.Automata"] = ["Networks", "Engine", "Splitting", "Exchange", "Clients"],
        ["MqttCheck.Clusters"] = ["Topologies", "Mosquitto", "Events", "Monitors", "Properties"],
        ["MqttCheck.ClusterProtocols"] =
        [
            "Hops",
            "SpanningTree",
            "Discovery",
            "Interest",
            "Overlays",
            "Transport",
            "Simulation",
            "Pipeline",
            "Generation",
            "Systems",
            "Predicting",
        ],
        ["MqttCheck.Brokers"] = ["Wire", "Processes", "Embedded", "Fleets", "Loads", "Rights", "Campaigns"],
        ["MqttCheck.Captures"] =
        [
            "Files",
            "Tcp",
            "Messages",
            "Exchanges",
            "Populations",
            "Usage",
            "Tls",
            "Logs",
            "Foreign",
            "Replay",
            "Taps",
            "Replay",
        ],
        ["MqttCheck.Conformance"] =
        [
            "Scenarios",
            "Model",
            "Findings",
            "Observation",
            "Judges",
            "Account",
            "Generation",
            "Causes",
            "Sending",
            "Checking",
            "Roles",
        ],
        ["MqttCheck.LiveClusters"] =
        [
            "Links",
            "Nodes",
            "InMemory",
            "Recipes",
            "Disks",
            "Launching",
            "Runs",
            "Verdicts",
        ],
        ["MqttCheck.MqttNet"] = ["Client", "Server"],
        ["MqttCheck.App"] =
        [
            "Progress",
            "Runs",
            "Audit",
            "Diff",
            "Explore",
            "Learn",
            "Predict",
            "Verify",
            "VerifyProperty",
            "Compare",
            "Check",
            "Run",
            "Calibrate",
            "Bench",
            "Estimate",
        ],
        ["MqttCheck.App.Clusters"] =
        [
            "Runs",
            "Survival",
            "Show",
            "Compare",
            "Predict",
            "Check",
            "Models",
            "Split",
            "Export",
            "Selfcheck",
        ],
        ["MqttCheck.Reports"] = ["Input", "Builders", "Formats", "Marks", "Charts", "Page", "Documents"],
        ["MqttCheck.Plots"] = ["Data", "Drawing"],
        ["MqttCheck.Testing"] = ["Reporting", "Sequences", "Requirements"],
        ["MqttCheck.NUnit"] = [],
        ["MqttCheck.Pipeline"] = ["Logs", "Stores", "Hosting", "Commands"],
        ["MqttCheck.Telemetry"] = [],
        ["MqttCheck.Workers"] = ["Joining", "Computing", "Hosting", "Coordinating"],
        ["MqttCheck.Server"] = ["Questions", "Answers", "Live", "Hosting"],
        ["MqttCheck.Cli"] =
        [
            "Terminal",
            "Live",
            "Results",
            "Options",
            "Serve",
            "Workers",
            "Node",
            "Explore",
            "Learn",
            "Taps",
            "Predict",
            "VerifyProperty",
            "Verify",
            "Compare",
            "Diff",
            "Check",
            "Cluster",
            "Survives",
            "Report",
            "WhatIf",
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
        ["MqttCheck.Clusters"] = ["MqttCheck"],
        ["MqttCheck.ClusterProtocols"] = ["MqttCheck", "MqttCheck.Clusters"],
        ["MqttCheck.Brokers"] = ["MqttCheck"],
        ["MqttCheck.Captures"] = ["MqttCheck", "MqttCheck.Brokers", "MqttCheck.LiveClusters"],
        ["MqttCheck.Conformance"] = ["MqttCheck", "MqttCheck.Brokers"],
        ["MqttCheck.LiveClusters"] =
        [
            "MqttCheck",
            "MqttCheck.Clusters",
            "MqttCheck.ClusterProtocols",
            "MqttCheck.Brokers",
        ],
        ["MqttCheck.MqttNet"] = ["MqttCheck", "MqttCheck.Brokers"],
        // The use cases know no format, no console and no cluster.
        ["MqttCheck.App"] = ["MqttCheck", "MqttCheck.Brokers", "MqttCheck.Conformance"],
        ["MqttCheck.App.Clusters"] =
        [
            "MqttCheck",
            "MqttCheck.Automata",
            "MqttCheck.Clusters",
            "MqttCheck.ClusterProtocols",
            "MqttCheck.Brokers",
            "MqttCheck.LiveClusters",
            "MqttCheck.App",
        ],
        ["MqttCheck.Reports"] = ["MqttCheck"],
        ["MqttCheck.Plots"] = ["MqttCheck", "MqttCheck.Reports"],
        ["MqttCheck.Testing"] =
        [
            "MqttCheck",
            "MqttCheck.Brokers",
            "MqttCheck.Conformance",
            "MqttCheck.Reports",
            "MqttCheck.Plots",
        ],
        ["MqttCheck.NUnit"] = ["MqttCheck", "MqttCheck.Brokers", "MqttCheck.Testing"],
        // Its packages for Redis, PostgreSQL and Kafka are nobody else's: no other assembly may refer to it.
        ["MqttCheck.Pipeline"] =
        [
            "MqttCheck",
            "MqttCheck.Clusters",
            "MqttCheck.ClusterProtocols",
            "MqttCheck.Brokers",
            "MqttCheck.LiveClusters",
        ],
        ["MqttCheck.Telemetry"] = ["MqttCheck"],
        ["MqttCheck.Workers"] = ["MqttCheck"],
        ["MqttCheck.Server"] =
        [
            "MqttCheck",
            "MqttCheck.Clusters",
            "MqttCheck.ClusterProtocols",
            "MqttCheck.App.Clusters",
            "MqttCheck.Reports",
        ],
        ["MqttCheck.Cli"] =
        [
            "MqttCheck",
            "MqttCheck.Automata",
            "MqttCheck.Clusters",
            "MqttCheck.ClusterProtocols",
            "MqttCheck.Brokers",
            "MqttCheck.Captures",
            "MqttCheck.Conformance",
            "MqttCheck.LiveClusters",
            "MqttCheck.App",
            "MqttCheck.App.Clusters",
            "MqttCheck.MqttNet",
            "MqttCheck.Reports",
            "MqttCheck.Plots",
            "MqttCheck.Server",
            "MqttCheck.Telemetry",
            "MqttCheck.Workers",
        ],
    };

    [TestCaseSource(nameof(Projects))]
    public void A_room_uses_only_rooms_that_come_before_it(string project) =>
        None(HouseRules.RoomsOutOfOrder(Repository.Source, project, s_rooms[project]));

    [TestCaseSource(nameof(Projects))]
    public void An_assembly_refers_only_to_those_that_it_may_refer_to(string project) =>
        None(
            HouseRules.ForbiddenReferences(
                project,
                File.ReadAllText(RepositoryFiles.At($"src/{project}/{project}.csproj")),
                s_references
            )
        );

    [Test]
    public void A_project_that_takes_the_NUnit_constraints_restores_no_cluster_Orleans_Kafka_or_ASP_NET_assembly() =>
        None(
            HouseRules.Restored(
                "MqttCheck.NUnit",
                (project, file) => File.ReadAllText(RepositoryFiles.At($"src/{project}/{file}")),
                "Cluster",
                "Orleans",
                "Kafka",
                "AspNetCore"
            )
        );

    [Test]
    public void Every_assembly_has_its_place() =>
        Assert.That(
            Directory.GetDirectories(RepositoryFiles.At("src")).Select(Path.GetFileName),
            Is.EquivalentTo(s_rooms.Keys)
        );

    [Test]
    public void A_folder_holds_few_enough_files_to_be_read_at_a_glance() =>
        None(HouseRules.FullFolders([.. Repository.Source, .. Repository.Tests], MostFilesOfAFolder));

    [Test]
    public void A_namespace_is_the_path_of_its_folder() =>
        None(HouseRules.MisplacedNamespaces([.. Repository.Source, .. Repository.Tests]));

    [Test]
    public void A_type_name_means_one_thing() => None(HouseRules.RepeatedTypeNames(Repository.Source));

    [Test]
    public void A_line_of_code_fits_the_screen() =>
        None(HouseRules.LongLines([.. Repository.Source, .. Repository.Tests], MostColumns));

    [Test]
    public void A_method_fits_the_screen() => None(HouseRules.LongMethods(Repository.Source, MostLinesOfAMethod));

    // Values of packets are bytes that a peer sends: there are some without a name.
    [Test]
    public void A_switch_over_an_enumeration_throws_for_the_values_that_it_does_not_name() =>
        None(
            SwitchRules.ForgivingDefaults(
                Repository.Source,
                "ConnectReturnCode",
                "PacketType",
                "PropertyDataType",
                "PropertyId",
                "ReasonCode"
            )
        );

    [Test]
    public void No_type_of_the_tool_is_public() =>
        None(
            HouseRules.PublicTypes(
                Repository.Source.Where(file =>
                    file.Project is "MqttCheck.Cli" or "MqttCheck.App" or "MqttCheck.App.Clusters"
                )
            )
        );

    [Test]
    public void The_library_and_the_use_cases_open_no_socket_and_print_nothing() =>
        None(
            HouseRules.InputAndOutput(
                Repository.Source.Where(file =>
                    file.Project
                        is "MqttCheck"
                            or "MqttCheck.Automata"
                            or "MqttCheck.Clusters"
                            or "MqttCheck.ClusterProtocols"
                            or "MqttCheck.App"
                            or "MqttCheck.App.Clusters"
                )
            )
        );

    // Bridges and configurations are Mosquitto's, so their rooms name it too.
    [Test]
    public void Installed_brokers_are_named_only_where_they_are_started() =>
        None(
            HouseRules.BrokerNames(
                Repository.Source,
                "src/MqttCheck.Brokers/Processes",
                "src/MqttCheck.LiveClusters/Recipes",
                "src/MqttCheck.Clusters/Mosquitto",
                "src/MqttCheck.Clusters/Topologies/Bridges",
                "src/MqttCheck.App.Clusters/Show",
                "src/MqttCheck.Cli/Cluster/Configurations"
            )
        );

    [Test]
    public void A_command_ends_with_a_conclusion_and_decides_on_no_exit_code() =>
        None(HouseRules.ExitCodes(Repository.Source));

    // The system's table of processors has this key.
    [Test]
    public void Nothing_decides_by_reading_a_sentence() =>
        None(
            HouseRules
                .DecisionsByText(Repository.Source)
                .Where(finding => !finding.EndsWith("\"model name\"", StringComparison.Ordinal))
        );

    // A number with its noun decides nothing, and neither does the code of a conclusion.
    [Test]
    public void The_tool_the_page_and_reports_leave_the_rules_to_the_use_cases() =>
        None(
            HouseRules.UsedRules(
                [.. Repository.Source],
                ["MqttCheck.Cli", "MqttCheck.Server", "MqttCheck.Reports", "MqttCheck.Plots"],
                [
                    "src/MqttCheck/Sequential",
                    "src/MqttCheck/Verification/Deciding",
                    "src/MqttCheck/Comparison",
                    "src/MqttCheck/Requirements",
                    "src/MqttCheck/Auditing",
                ],
                "Counted",
                "Conclusions",
                "ExitCode"
            )
        );

    // A learner, a rule and a core are looked up by a name.
    [Test]
    public void The_tool_leaves_the_work_to_the_use_cases() =>
        None(
            HouseRules.OwnWork(
                [.. Repository.Source],
                "MqttCheck.Cli",
                [
                    "src/MqttCheck/Simulation",
                    "src/MqttCheck/Learning",
                    "src/MqttCheck/Predictions",
                    "src/MqttCheck/Verification",
                    "src/MqttCheck/Properties",
                    "src/MqttCheck.Automata/Engine",
                    "src/MqttCheck.Automata/Splitting",
                    "src/MqttCheck.Automata/Clients",
                    "src/MqttCheck.Brokers/Campaigns",
                    "src/MqttCheck.ClusterProtocols/Simulation",
                    "src/MqttCheck.ClusterProtocols/Generation",
                    "src/MqttCheck.ClusterProtocols/Systems",
                    "src/MqttCheck.ClusterProtocols/Predicting",
                    "src/MqttCheck.Conformance/Generation",
                    "src/MqttCheck.Conformance/Judges",
                    "src/MqttCheck.Conformance/Checking",
                    "src/MqttCheck.LiveClusters/Runs",
                    "src/MqttCheck.LiveClusters/Verdicts",
                ],
                "ClusterCores",
                "Conclusions",
                "ExitCode",
                "LearnerCatalogue",
                "EstimationRules"
            )
        );

    [Test]
    public void A_comment_does_not_open_with_Of_What_Whoever_or_Where() =>
        None(HouseRules.CommentsWithoutSubject(Repository.Source));

    // NUnit shows the first of a list; whoever mends them wants all.
    private static void None(IEnumerable<string> violations) => Assert.That(string.Join('\n', violations), Is.Empty);

    private static string[] Projects() => [.. s_rooms.Keys];
}
