using MqttCheck.Cli.Terminal;
using MqttCheck.Verification.Deciding;
using Shared;

namespace MqttCheck.Cli.Tests.Cluster;

[TestFixture]
internal sealed class ClusterShowTests : DirectoryFixture
{
    [Test]
    public async Task A_triangle_of_bridges_ends_with_code_1_and_its_loop_by_name()
    {
        var (code, screen) = await TestTool.RunAsync("cluster", "show", "bridge-triangle");
        Assert.That(code, Is.EqualTo(ExitCode.Refuted));
        Assert.That(
            screen.Output,
            Does.Contain("loop: a publication on '#' at a goes round a -> b -> c -> a without end")
                .And.Contain("both 1")
        );
    }

    [Test]
    public async Task A_chain_of_bridges_has_routes_and_the_messages_of_each_link()
    {
        var screen = await TestTool.SucceedAsync("cluster", "show", "bridge-chain");
        Assert.That(
            screen.Output,
            Does.Contain("no loop").And.Contain("together 2 for one publication").And.Match("a +# +b, c +1 +2")
        );
        Assert.That(screen.Output, Does.Contain("hold with Mosquitto at both ends of each bridge, tried with"));
    }

    [TestCase(
        "both-ends",
        ExitCode.Refuted,
        "loop: a publication on '#' at plant goes round office -> plant -> office"
    )]
    [TestCase("one-end", ExitCode.Success, "no loop: every publication comes to an end")]
    public async Task The_samples_are_a_pair_that_loops_and_one_that_does_not(string name, int expected, string told)
    {
        var (code, screen) = await TestTool.RunAsync("cluster", "show", TestTool.Sample($"bridges/{name}"));
        Assert.That((code, screen.Output), Is.EqualTo((expected, screen.Output)));
        Assert.That(screen.Output, Does.Contain(told));
    }

    [Test]
    public async Task Configurations_are_joined_and_a_loop_is_told_with_its_lines()
    {
        var (a, b) = (In("a.conf"), In("b.conf"));
        await File.WriteAllTextAsync(
            a,
            "listener 1883\nconnection to-b\naddress 127.0.0.1:1884\ntopic x/# out 1\nremote_username u\n"
                + "remote_password s3cret\n"
        );
        await File.WriteAllTextAsync(b, "listener 1884\nconnection to-a\naddress localhost\ntopic x/# out 1\n");
        var (code, screen) = await TestTool.RunAsync("cluster", "show", a, b);
        Assert.That(code, Is.EqualTo(ExitCode.Refuted));
        Assert.That(
            screen.Output,
            Does.Contain(
                    $"{a}:4: loop: a publication on 'x/#' at a goes round a -> b -> a without end, by this line "
                        + $"and {b}:4"
                )
                .And.Contain("    write instead: one bridge for both ways, 'topic x/# both 1'")
                .And.Contain("hold with Mosquitto at both ends")
                .And.Not.Contain("s3cret")
        );

        // One of the bridges alone is no loop, and a folder is its files.
        await File.WriteAllTextAsync(b, "listener 1884\n");
        var folder = await TestTool.SucceedAsync("cluster", "show", Path.GetDirectoryName(a)!);
        Assert.That(folder.Output, Does.Contain("no loop").And.Match(@"to-b +a -> b .* listener +x/# out 1"));
    }

    [Test]
    public async Task The_broker_at_the_far_end_decides_about_echoes()
    {
        var a = In("a.conf");
        await File.WriteAllTextAsync(a, "connection c\naddress far.example\ntopic x/# both 1\n");
        var plain = await TestTool.SucceedAsync("cluster", "show", "--conf", $"site={a}");
        Assert.That(plain.Output, Does.Contain("mosquitto (assumed)").And.Match("c +site -> outside1 .* no file"));
        var (code, screen) = await TestTool.RunAsync([
            "cluster",
            "show",
            a,
            "--at",
            "far.example:1883=cloud",
            "--broker",
            "cloud=emqx",
        ]);
        Assert.That(code, Is.EqualTo(ExitCode.Refuted));
        Assert.That(
            screen.Output,
            Does.Contain("echo: cloud (EMQX) sends back to a")
                .And.Contain("cloud: EMQX is assumed, by documentation, not tried: its source")
                .And.Contain("no loop")
        );
    }

    [TestCase("--broker", "a=x", "--broker: 'a=x' is not understood", "mosquitto|vernemq")]
    [TestCase("--at", "far=a", "--at: 'far=a' is not understood", "HOST:PORT=NAME")]
    [TestCase("--conf", "A=x.conf", "--conf: 'A=x.conf' is no NAME=FILE", "a lower-case letter")]
    public Task Words_about_configurations_are_checked(string option, string word, string reason, string allowed) =>
        TestTool.AssertRefusedAsync(["cluster", "show", "x.conf", option, word], reason, allowed);

    [Test]
    public Task A_topology_goes_with_no_configuration() =>
        TestTool.AssertRefusedAsync(
            ["cluster", "show", "bridge-pair", "--broker", "b=emqx"],
            "'bridge-pair' is no configuration",
            "one topology alone"
        );

    [Test]
    public async Task Two_parallel_bridges_are_no_loop_and_both_ways_of_the_copies_are_named()
    {
        var file = In("dup2.json");
        await File.WriteAllTextAsync(
            file,
            """
            { "name": "dup2", "system": "mosquitto-bridge", "nodes": [ { "name": "a" }, { "name": "b" } ],
              "links": [ { "between": ["a", "b"], "topics": ["x/# out 1", "z/# in 1"] },
                { "between": ["b", "a"], "topics": "x/# in 1" } ] }
            """
        );
        var (code, screen) = await TestTool.RunAsync("cluster", "show", file);
        Assert.That(code, Is.EqualTo(ExitCode.Refuted));
        Assert.That(
            screen.Output,
            Does.Contain("copies: a publication on 'x/#' at a reaches b twice: a -> b, and a -> b (by the bridge of b)")
                .And.Contain("no loop")
        );
    }

    [Test]
    public async Task A_family_shows_its_tree()
    {
        var screen = await TestTool.SucceedAsync("cluster", "show", "line:3");
        Assert.That(screen.Output.ReplaceLineEndings("\n"), Does.Contain("n1  root\n  n2  0 ms\n    n3  0 ms\n"));
    }

    [TestCase("nowhere.json", "there is no such file", "bridge-pair")]
    [TestCase("mesh:1000", "'1000' is no size of a mesh", "1 to 256")]
    public Task Any_other_name_is_wrong_input(string name, string reason, string allowed) =>
        TestTool.AssertRefusedAsync(["cluster", "show", name], reason, allowed);

    [TestCase("show")]
    [TestCase("run")]
    [TestCase("check")]
    public Task The_system_of_a_family_goes_with_no_other_cluster(string command) =>
        TestTool.AssertRefusedAsync(["cluster", command, "bridge-pair", "--system", "flood"], "--system", "mesh:5");
}
