using MqttCheck.LiveClusters.Nodes.Pipeline;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Tests.Node;

internal sealed class NodeCommandTests : DirectoryFixture
{
    [TestCase("log")]
    [TestCase("store")]
    public async Task A_node_whose_file_is_damaged_does_not_start_and_names_file_and_place(string name)
    {
        var path = In("entries");
        using (var file = new EntryFile(path, _ => { }))
        {
            file.Write(new byte[40]);
            file.Flush();
        }
        var bytes = await File.ReadAllBytesAsync(path);
        bytes[20] ^= 1;
        await File.WriteAllBytesAsync(path, bytes);

        var (code, screen) = await TestTool.RunAsync([
            "node",
            "--cluster",
            "pipeline-p2p",
            "--name",
            name,
            "--directory",
            Path.GetDirectoryName(path)!,
        ]);

        Assert.That(code, Is.EqualTo(ExitCode.BrokerFailed));
        Assert.That(
            screen.Error.ReplaceLineEndings(" "),
            Does.Contain($"Node {name} does not start. {path} is damaged at byte 0: an entry of 40 bytes")
                .And.Contain("Put a copy of the file in its place, or move it away")
        );
    }
}
