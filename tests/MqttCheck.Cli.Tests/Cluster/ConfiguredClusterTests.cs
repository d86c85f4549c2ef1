using System.Text.RegularExpressions;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Tests.Processes;

namespace MqttCheck.Cli.Tests.Cluster;

/// <summary>Configurations of Mosquitto, started and loaded here.</summary>
[Platform("Linux,MacOsX")]
internal sealed class ConfiguredClusterTests
{
    private const string Secret = "secret-of-this-test";

    private TemporaryDirectory _directory = null!;

    [SetUp]
    public void MakeDirectory() => _directory = new TemporaryDirectory();

    [TearDown]
    public async Task RemoveDirectoryAsync() => await _directory.DisposeAsync();

    // Messages of QoS 1 wait for a session that is not clean.
    [Test, Category("Whole")]
    public async Task A_bridge_that_renames_topics_is_loaded_and_keeps_what_comes_while_it_is_cut()
    {
        Installed.Require("mosquitto");
        var screen = await RunAsync(
            [
                Write(
                    "plant",
                    "listener 1883\nallow_anonymous true\nconnection up\naddress office.example:1884\n"
                        + "cleansession false\ntopic sensors/# out 1 \"\" plant/\ntopic orders/# in 1 local/ far/\n"
                ),
                Write("office", "listener 1884\nallow_anonymous true\n"),
            ],
            "--fault",
            "cut plant-office at 500ms for 500ms"
        );
        Assert.That(screen.Output, Does.Match(@" ([1-9]\d*) of \1 deliveries came, 0 lost .*, 0 repeated"));
        // A pair of clients up and one down, each with ten messages a second.
        Assert.That(
            int.Parse(Regex.Match(screen.Output, @"(\d+) publications").Groups[1].Value),
            Is.InRange(30, 50),
            screen.Output
        );
    }

    // Two bridges of one broker to another one, with connections of one pair of nodes.
    [Test, Category("Whole")]
    public async Task Two_bridges_of_one_file_to_one_broker_deliver_each_message_twice()
    {
        Installed.Require("mosquitto");
        var screen = await RunAsync([
            Write(
                "a",
                "listener 1883\nallow_anonymous true\nconnection one\naddress b:1884\ntopic t/# out 1\n"
                    + "connection two\naddress b:1884\ntopic t/# out 1\n"
            ),
            Write("b", "listener 1884\nallow_anonymous true\n"),
        ]);
        Assert.That(screen.Output, Does.Match(@" ([1-9]\d*) of \1 deliveries came, 0 lost .*, \1 repeated"));
    }

    [Test, Category("Whole")]
    public async Task Names_and_rights_are_those_of_the_files_and_no_secret_is_told_or_written()
    {
        Installed.Require("mosquitto");
        var rights = _directory.Write("rights", "user edge\ntopic write plant/#\n");
        var passwords = _directory.Write("passwords", $"edge:{Secret}\n");
        var screen = await RunAsync([
            Write(
                "edge",
                "listener 1883\nallow_anonymous true\nconnection up\naddress hq:8883\nbridge_cafile ca.pem\n"
                    + $"remote_username edge\nremote_password {Secret}\ntopic plant/# out 1\n"
            ),
            Write("hq", $"listener 8883\ncafile ca.pem\nkeyfile k.pem\npassword_file {passwords}\nacl_file {rights}\n"),
        ]);
        Assert.That(screen.Output, Does.Match(@" ([1-9]\d*) of \1 deliveries came, 0 lost"));
        Assert.That(
            screen.Error,
            Does.Contain("edge: left out here: bridge_cafile").And.Contain("hq: left out here: cafile, keyfile")
        );
        string[] written = [screen.Output, screen.Error, .. Files("cluster.*").Select(File.ReadAllText)];
        Assert.That(written, Has.Length.EqualTo(4).And.None.Contains(Secret));
    }

    // The hub sees what the site sends below its mount point, and the site gets what stands there.
    [Test, Category("Whole")]
    public async Task A_mount_point_of_the_far_listener_and_its_highest_QoS_count()
    {
        Installed.Require("mosquitto");
        string[] files =
        [
            Write(
                "site",
                "listener 1883\nallow_anonymous true\nmax_keepalive 60\nconnection up\naddress hub:1885\n"
                    + "topic t/# out 1\ntopic c/# in 1\n"
            ),
            Write(
                "hub",
                "listener 1884\nallow_anonymous true\nlistener 1885\nmount_point site1/\nmax_qos 0\n"
                    + "clientid_prefixes x-\n"
            ),
        ];
        var show = await TestTool.SucceedAsync(["cluster", "show", .. files]);
        Assert.That(show.Output, Does.Match(@"hub +site1/c/# +site").And.Match(@"site +t/# +hub"));
        var screen = await RunAsync(files);
        Assert.That(screen.Output, Does.Match(@" ([1-9]\d*) of \1 deliveries came, 0 lost"));
    }

    [Test, Category("Whole")]
    public async Task A_line_that_an_access_list_refuses_is_a_violated_delivery()
    {
        Installed.Require("mosquitto");
        var rights = _directory.Write("rights", "user edge\ntopic write plant/#\n");
        var (code, screen) = await TestTool.RunAsync(
            "cluster",
            "run",
            Write(
                "edge",
                "listener 1883\nallow_anonymous true\nconnection up\naddress hq:1884\nremote_username edge\n"
                    + "remote_password p\ntopic plant/# out 1\ntopic other/# out 1\n"
            ),
            Write("hq", $"listener 1884\npassword_file {_directory.Write("passwords", "")}\nacl_file {rights}\n"),
            "--for",
            "2s",
            "--out",
            _directory.Path
        );
        Assert.That(code, Is.EqualTo(1), screen.Output + screen.Error);
        Assert.That(
            screen.Output,
            Does.Match(@" (\d+) of \d+ deliveries came, \1 lost").And.Contain("violated: delivery: run 1")
        );
    }

    [Test, Category("Whole")]
    public async Task A_broker_outside_of_the_files_is_stood_for_by_one_that_is_started()
    {
        Installed.Require("mosquitto");
        var screen = await RunAsync([Write("edge", Outside)]);
        Assert.That(screen.Output, Does.Match(@" ([1-9]\d*) of \1 deliveries came, 0 lost"));
        Assert.That(screen.Error, Does.Contain("outside1: Mosquitto, started here, stands for cloud.example:1883"));
    }

    [Test, Category("Whole")]
    public async Task A_bridge_logs_in_at_a_broker_that_runs_already_as_the_user_says()
    {
        Installed.Require("mosquitto");
        await using var hub = await new BrokerLauncher(new()).StartAsync(
            BrokerSpecification.Parse("mosquitto"),
            CancellationToken.None
        );
        var file = Write("edge", Outside + "remote_username edge\nremote_password p\n");
        var (code, refused) = await TestTool.RunAsync([
            "cluster",
            "run",
            file,
            "--running",
            $"outside1=mqtt://{hub.Address}",
            "--out",
            _directory.Path,
        ]);
        Assert.That((code, refused.Error), Is.EqualTo((2, refused.Error)));
        Assert.That(
            refused.Error.ReplaceLineEndings(" "),
            Does.Contain("passwords of files are not kept; allowed: --user")
        );
        var screen = await RunAsync(
            [file],
            "--running",
            $"outside1=mqtt://{hub.Address}",
            "--user",
            "edge",
            "--password-file",
            _directory.Write("password", Secret)
        );
        Assert.That(screen.Output, Does.Match(@" ([1-9]\d*) of \1 deliveries came, 0 lost"));
    }

    [TestCase("outside1 is EMQX, which is not started here", "--broker", "outside1=emqx")]
    [TestCase(
        "--running: 'edge=mqtt://127.0.0.1:1' names no node outside of the files; allowed: NAME=mqtt://HOST:PORT with "
            + "outside1",
        "--running",
        "edge=mqtt://127.0.0.1:1"
    )]
    [TestCase("'mosquitto' is no address of a broker", "--running", "outside1=mosquitto")]
    [TestCase("'192.0.2.1' is not this machine", "--running", "outside1=mqtt://192.0.2.1:1883")]
    [TestCase(
        "'kill outside1 at 1s': node outside1 runs already; allowed: faults of nodes that are started here",
        "--running",
        "outside1=mqtt://127.0.0.1:1",
        "--fault",
        "kill outside1 at 1s"
    )]
    public async Task Brokers_that_cannot_be_used_so_are_refused(string expected, params string[] arguments)
    {
        Installed.Require("mosquitto");
        var (code, screen) = await TestTool.RunAsync([
            "cluster",
            "run",
            Write("edge", Outside),
            "--out",
            _directory.Path,
            .. arguments,
        ]);
        Assert.That((code, screen.Error), Is.EqualTo((2, screen.Error)), screen.Output);
        Assert.That(screen.Error.ReplaceLineEndings(" "), Does.Contain(expected));
    }

    [Test]
    public async Task Configurations_that_loop_are_refused_and_nothing_is_started()
    {
        var (code, screen) = await TestTool.RunAsync(
            "cluster",
            "run",
            Write("a", "listener 1883\nconnection c\naddress b:1884\ntopic # both 1\n"),
            Write("b", "listener 1884\nconnection c\naddress a:1883\ntopic # both 1\n"),
            "--out",
            _directory.Path
        );
        Assert.That(code, Is.EqualTo(2));
        Assert.That(screen.Error, Does.Contain("goes round a -> b -> a without end"));
    }

    private const string Outside =
        "listener 1883\nallow_anonymous true\nconnection up\naddress cloud.example:1883\ntopic t/# out 1\n";

    private async Task<TestScreen> RunAsync(string[] files, params string[] arguments) =>
        await TestTool.SucceedAsync([
            "cluster",
            "run",
            .. files,
            "--for",
            "2s",
            "--out",
            _directory.Path,
            .. arguments,
        ]);

    private string Write(string name, string text) => _directory.Write($"{name}.conf", text);

    private string[] Files(string pattern) => Directory.GetFiles(_directory.Path, pattern);
}
