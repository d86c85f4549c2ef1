using System.Diagnostics;
using System.Globalization;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Tests.Processes;
using MqttCheck.Brokers.Tests.Wire;

namespace MqttCheck.Cli.Tests.Cluster;

/// <summary>Clusters that somebody else started: logins, TLS, caps, and faults by commands of the user.</summary>
[TestFixture]
internal sealed class RunningClusterTests
{
    private const string User = "user-of-this-test",
        Password = "secret-of-this-test";

    // Each node knows a user of its own.
    private const string OfB =
        """, "user": "other-user", "passwordVariable": "RUNNING_CLUSTER_TEST", "caFile": "authority.pem" """;

    private TemporaryDirectory _directory = null!;

    [SetUp]
    public void MakeDirectory() => _directory = new TemporaryDirectory();

    [TearDown]
    public async Task EndBrokersAsync()
    {
        foreach (var node in (string[])["a", "b"])
            if (File.Exists(At($"{node}.pid")))
                Script("kill", node);
        await _directory.DisposeAsync();
    }

    // One node is told by options, and the other one by its keys in the file, which count for more.
    [Test, Category("Whole"), Platform("Linux,MacOsX")]
    public async Task A_cluster_with_a_login_and_TLS_is_loaded_below_the_prefix_that_its_access_list_allows()
    {
        StartBrokers();
        var file = Cluster(
            """
            "topicPrefix": "plant/check-1/", "durationSeconds": 2
            """,
            OfB
        );
        var screen = await TestTool.SucceedAsync(Run(file, "password"));
        Assert.That(screen.Output, Does.Match(@"([1-9]\d*) of \1 deliveries came, 0 lost"));
        Assert.That(screen.Output + screen.Error, Does.Not.Contain(Password));
        foreach (var written in (string[])["cluster.json", "cluster.html"])
            Assert.That(File.ReadAllText(At(written)), Does.Not.Contain(Password), written);

        var (code, wrong) = await TestTool.RunAsync(Run(file, "wrong"));
        Assert.That(code, Is.EqualTo(3), wrong.Output + wrong.Error);
        Assert.That(wrong.Error, Does.Contain("refuse"), "node a has the login of the options");
    }

    [Test, Category("Whole"), Platform("Linux,MacOsX")]
    public async Task A_node_dies_and_comes_back_by_commands_of_the_user()
    {
        StartBrokers();
        var file = Cluster(
            $$"""
            "kill": "sh {{At("node.sh")}} kill {node}", "start": "sh {{At("node.sh")}} start {node}",
            "sites": [ { "name": "s", "at": "a", "publishers": 1, "subscribers": 1 } ],
            "topicPrefix": "plant/check-1/", "durationSeconds": 3, "faults": ["kill b at 1s for 500ms"]
            """,
            OfB
        );
        var (code, refused) = await TestTool.RunAsync(Run(file, "password"));
        Assert.That((code, refused.Error), Is.EqualTo((2, refused.Error)));
        var screen = await TestTool.SucceedAsync([.. Run(file, "password"), "--allow-commands"]);
        Assert.That(screen.Output, Does.Contain("kill b at 1s for 500ms: b at 1 s"));
        Assert.That(screen.Output, Does.Match(@"no two brokers up for [1-9]"));
        Assert.That(File.ReadAllLines(At("b.starts")), Has.Length.EqualTo(2), "started by the test and by the tool");
    }

    [Test, Category("Whole"), Platform("Linux,MacOsX")]
    public async Task A_command_that_fails_is_told_with_its_exit_code_and_its_last_lines_and_the_node_is_started()
    {
        StartBrokers(anonymous: true);
        var file = Cluster(
            $$"""
            "kill": "sh -c 'echo no such unit >&2; exit 5'", "start": "sh {{At("node.sh")}} start {node}",
            "durationSeconds": 2, "faults": ["kill b at 500ms for 500ms"]
            """,
            tls: false
        );
        var (code, screen) = await TestTool.RunAsync(
            "cluster",
            "run",
            file,
            "--allow-commands",
            "--runs",
            "1",
            "--out",
            _directory.Path
        );
        Assert.That(code, Is.EqualTo(3), screen.Output + screen.Error);
        Assert.That(
            screen.Error.ReplaceLineEndings(" "),
            Does.Contain("node b: the command of the key kill ended with exit code 5").And.Contain("no such unit")
        );
    }

    [Test, Category("Whole"), Platform("Linux,MacOsX")]
    public async Task A_bridge_logs_in_at_a_broker_that_runs_already()
    {
        StartBrokers(bridged: false);
        var file = At("there.json");
        File.WriteAllText(
            file,
            $$"""
            { "name": "there", "system": "mosquitto-bridge", "durationSeconds": 2, "topicPrefix": "plant/check-1/",
              "nodes": [ { "name": "here" }, { "name": "b", "address": "{{AddressOf("b", tls: false)}}",
                                               "user": "other-user", "passwordVariable": "RUNNING_CLUSTER_TEST" } ],
              "links": [ { "between": ["here", "b"], "topics": "# both 1" } ] }
            """
        );
        var screen = await TestTool.SucceedAsync(
            "cluster",
            "run",
            file,
            "--runs",
            "1",
            "-p",
            "P[ lost = 0 ]",
            "--out",
            _directory.Path
        );
        Assert.That(screen.Output, Does.Match(@"([1-9]\d*) of \1 deliveries came, 0 lost"));
        Assert.That(screen.Output + File.ReadAllText(At("cluster.json")), Does.Not.Contain(Password));
    }

    // Nobody but the user knows what these brokers should forward, so that it is judged.
    [Test, Category("Whole"), Platform("Linux,MacOsX")]
    public async Task Brokers_that_forward_nothing_violate_delivery()
    {
        StartBrokers(anonymous: true, bridged: false);
        var (code, screen) = await TestTool.RunAsync(
            "cluster",
            "run",
            Cluster("\"durationSeconds\": 2", tls: false),
            "--runs",
            "1",
            "--out",
            _directory.Path
        );
        Assert.That(code, Is.EqualTo(1), screen.Output + screen.Error);
        Assert.That(screen.Output, Does.Contain("violated: delivery"));
    }

    [TestCase("'192.0.2.1' is not this machine", "mqtt://192.0.2.1:1883", "")]
    [TestCase("'10.1.2.3' is not this machine", "mqtts://10.1.2.3:1883", "")]
    [TestCase("change its nodes only when that is allowed (--allow-commands)", "mqtt://127.0.0.1:1", "KILL")]
    [TestCase(
        "there.json:6: faults[0]: 'kill b at 1s': node b runs already, and only commands of yours may change it",
        "mqtt://127.0.0.1:1",
        "\"kill\": \"true\", \"faults\": [\"kill b at 1s\"]"
    )]
    [TestCase(
        "'join b at 1s': the nodes run already, so that none joins",
        "mqtt://127.0.0.1:1",
        "\"start\": \"true\", \"faults\": [\"join b at 1s\"]"
    )]
    [TestCase("kill: 'echo ''' is no command", "mqtt://127.0.0.1:1", "\"kill\": \"echo '\"")]
    public Task What_is_not_allowed_is_refused_before_anything_is_connected(string said, string address, string keys)
    {
        var file = Cluster(
            keys == "KILL" ? "\"kill\": \"true\", \"start\": \"true\", \"faults\": [\"kill b at 1s\"]" : keys,
            address: address
        );
        return TestTool.AssertRefusedAsync(
            ["cluster", "run", file],
            said.Replace("'''", "''", StringComparison.Ordinal)
        );
    }

    [TestCase("nodes[1].password: a password given; allowed: passwordVariable", ", \"password\": \"hunter2\"")]
    [TestCase("node b: passwordVariable: the environment variable 'NO_SUCH'", ", \"passwordVariable\": \"NO_SUCH\"")]
    [TestCase("nodes[1].caFile: given for an address without TLS", ", \"caFile\": \"x.pem\"")]
    [TestCase("given beside user; allowed: one of them", ", \"user\": \"u\", \"userVariable\": \"U\"")]
    [TestCase("nodes[1].userVariable: \"1 U\" given; allowed: the name of an", ", \"userVariable\": \"1 U\"")]
    public Task Keys_of_a_node_are_checked(string said, string keys) =>
        TestTool.AssertRefusedAsync(["cluster", "run", Cluster("", keys, address: "mqtt://127.0.0.1:1")], said);

    [TestCase("--ca-file: given for there; allowed: only with running brokers at mqtts://", "--ca-file", "x.pem")]
    [TestCase("--user: missing beside a password", "--password", "hunter2")]
    [TestCase("sends 40 messages/s and probes between the brokers 22; allowed: 50 together", "--rate-cap", "50")]
    [TestCase("or a higher --rate-cap, at least 62.", "--rate-cap", "61")]
    public Task Options_of_access_are_checked(string said, params string[] options) =>
        TestTool.AssertRefusedAsync(["cluster", "run", Cluster("", address: "mqtt://127.0.0.1:1"), .. options], said);

    [Test]
    public Task Two_clusters_are_compared_with_the_same_access() =>
        TestTool.AssertRefusedAsync(
            ["cluster", "compare", Cluster("", address: "mqtt://192.0.2.1:1883"), "bridge-pair"],
            "'192.0.2.1' is not this machine"
        );

    [Test]
    public Task A_remote_cluster_gets_a_thousand_messages_in_a_second_unless_the_user_says_otherwise() =>
        TestTool.AssertRefusedAsync(
            [
                "cluster",
                "run",
                Cluster(
                    "\"workload\": { \"name\": \"w\", \"arrivals\": { \"constant\": 2000 } }",
                    address: "mqtt://127.0.0.1:1"
                ),
                "--allow-remote",
            ],
            "load 'w' sends 2000 messages/s",
            "allowed: 1000 together"
        );

    private string[] Run(string file, string password) =>
        [
            "cluster",
            "run",
            file,
            "--runs",
            "1",
            "-p",
            "P[ lost = 0 ]",
            "--out",
            _directory.Path,
            "--user",
            User,
            "--password-file",
            At(password),
            "--ca-file",
            At("authority.pem"),
        ];

    private string At(string name) => Path.Combine(_directory.Path, name);

    // The keys are in line 6.
    private string Cluster(string keys, string ofB = "", string? address = null, bool tls = true)
    {
        var file = At("there.json");
        File.WriteAllText(
            file,
            $$"""
            {
              "name": "there",
              "system": "running",
              "nodes": [ { "name": "a", "address": "{{address ?? AddressOf("a", tls)}}" },
                         { "name": "b", "address": "{{(
                address is null ? AddressOf("b", tls) : "mqtt://127.0.0.1:2"
            )}}"{{ofB}} } ]
              {{(keys.Length > 0 ? "," + keys : "")}}
            }
            """
        );
        return file;
    }

    private string AddressOf(string node, bool tls) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{(tls ? "mqtts" : "mqtt")}://localhost:{File.ReadAllText(At($"{node}.{(tls ? "tls" : "plain")}")).Trim()}"
        );

    // Two brokers, each with a listener for TLS and one for the bridge, and an access list.
    private void StartBrokers(bool anonymous = false, bool bridged = true)
    {
        Installed.Require("mosquitto");
        Environment.SetEnvironmentVariable("RUNNING_CLUSTER_TEST", Password);
        File.WriteAllText(At("password"), $"{Password}\n");
        File.WriteAllText(At("wrong"), "wrong\n");
        File.WriteAllText(At("authority.pem"), TestCertificates.Authority.ExportCertificatePem());
        var (certificate, key) = TestCertificates.Write(
            _directory.Path,
            "server",
            TestCertificates.Create("localhost")
        );
        File.WriteAllText(At("access"), "pattern readwrite plant/check-1/#\nuser bridge\ntopic readwrite #\n");
        File.WriteAllText(
            At("node.sh"),
            $"""
            cd '{_directory.Path}'
            case "$1" in
            start)
                echo start >> $2.starts
                if [ -e $2.pid ]; then exit; fi
                mosquitto -c $2.conf > $2.log 2>&1 < /dev/null & echo $! > $2.pid ;;
            kill) kill -9 $(cat $2.pid); rm $2.pid ;;
            esac

            """
        );
        foreach (var node in (string[])["b", "a"])
        {
            File.WriteAllText(At($"{node}.tls"), $"{FreePort.Find()}");
            File.WriteAllText(At($"{node}.plain"), $"{FreePort.Find()}");
            Program("mosquitto_passwd", "-b", "-c", At($"{node}.users"), node == "a" ? User : "other-user", Password);
            Program("mosquitto_passwd", "-b", At($"{node}.users"), "bridge", "bridge");
            var login = anonymous
                ? "allow_anonymous true"
                : $"allow_anonymous false\npassword_file {At($"{node}.users")}\nacl_file {At("access")}";
            File.WriteAllText(
                At($"{node}.conf"),
                $"""
                user {Environment.UserName}
                {login}
                listener {File.ReadAllText(At($"{node}.tls"))} 127.0.0.1
                certfile {certificate}
                keyfile {key}
                listener {File.ReadAllText(At($"{node}.plain"))} 127.0.0.1

                """
                    + (
                        node == "a" && bridged
                            ? $"""
                            connection a-b
                            address 127.0.0.1:{File.ReadAllText(At("b.plain"))}
                            remote_username bridge
                            remote_password bridge
                            restart_timeout 1
                            topic # both 1

                            """
                            : ""
                    )
            );
            Script("start", node);
            var port = int.Parse(File.ReadAllText(At($"{node}.plain")), CultureInfo.InvariantCulture);
            Assert.That(() => FreePort.IsTaken(port), Is.True.After(10).Seconds.PollEvery(10).MilliSeconds);
        }
    }

    private void Script(string action, string node) => Program("sh", At("node.sh"), action, node);

    private static void Program(string program, params string[] arguments)
    {
        using var process = Process.Start(program, arguments);
        process.WaitForExit();
    }
}
