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
    }

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
        var screen = await TestTool.SucceedAsync("cluster", "show", file);
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
