namespace MqttCheck.AcceptanceTests;

/// <summary>Clusters of MqttCheck's own nodes, each a process of its own.</summary>
[Platform("Linux")]
public sealed class ClusterNodeTests
{
    [Test]
    public async Task A_spanning_tree_carries_every_message_once_over_one_link_less_than_it_has_nodes()
    {
        using var directory = new WorkDirectory();
        // On a busy machine a node may stand still for a second, and a subscription take as long to all nodes.
        // One link is so slow that no node takes it, whatever a round trip over the other two takes.
        await File.WriteAllTextAsync(
            directory.File("ring.json"),
            """
            {
              "name": "ring", "system": "spanning-tree",
              "nodes": [ { "name": "n1" }, { "name": "n2" }, { "name": "n3" } ],
              "links": [
                { "between": [ "n1", "n2" ] },
                { "between": [ "n2", "n3" ] },
                { "between": [ "n1", "n3" ], "delay": "constant:500ms" }
              ],
              "keepAliveSeconds": 4, "settleSeconds": 4
            }
            """
        );
        var result = await ToolProcess.SucceedAsync(
            directory.Path,
            "cluster",
            "run",
            "ring.json",
            "--for",
            "2s",
            "--runs",
            "1",
            "-p",
            "P[ lost settled = 0 & duplicates = 0 ]",
            "-p",
            "E[ link messages per publication ]"
        );
        Assert.That(
            result.Output,
            Does.Contain("P[ (lost settled = 0 & duplicates = 0) ]  1 (")
                .And.Contain("E[ link messages per publication ]  2")
                .And.Not.Contain("violated"),
            result.ToString
        );
    }

    [Test]
    public async Task A_root_that_is_killed_is_followed_by_another_and_a_killed_tool_leaves_nothing()
    {
        using var directory = new WorkDirectory();
        var temporary = Directory.CreateDirectory(directory.File("temporary")).FullName;
        using var tool = ToolProcess.Start(
            directory.Path,
            new Dictionary<string, string> { ["TMPDIR"] = temporary },
            ["cluster", "run", "tree-mesh-5", "--for", "10m", "--fault", "kill n1 at 1s for 1s"]
        );
        await tool.WaitForAsync("5 nodes run");
        var children = Processes.DescendantsOf(tool.Id);
        Assert.That(children, Has.Count.GreaterThanOrEqualTo(5), "each node is a process of its own");
        var notes = Directory.GetFiles(temporary, "*.notes", SearchOption.AllDirectories);
        Assert.That(notes, Has.Length.EqualTo(5));
        // The second node takes itself for the root only after the first has gone.
        Assert.That(
            () => notes.Where(path => !path.EndsWith("/n1.notes", StringComparison.Ordinal)).Select(LastRoot),
            Is.All.EqualTo("1").After(60).Seconds.PollEvery(20).MilliSeconds
        );
        Assert.That(
            () => notes.Select(LastRoot),
            Is.All.EqualTo("0").After(60).Seconds.PollEvery(20).MilliSeconds,
            "the first node is the root again when it is back"
        );
        children = Processes.DescendantsOf(tool.Id);
        await tool.EndAsync("KILL");
        Processes.WaitUntilGone(children);
        Assert.That(
            () => Directory.GetDirectories(temporary, "mqttcheck-*"),
            Is.Empty.After(10).Seconds.PollEvery(50).MilliSeconds
        );
    }

    // TIME KIND PEER VALUE [TOPIC]
    private static string? LastRoot(string path)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        using var reader = new StreamReader(file);
        return reader
            .ReadToEnd()
            .Split('\n')
            .Select(line => line.Split(' '))
            .LastOrDefault(words => words is [_, "root", _, _, ..])
            ?[2];
    }
}
