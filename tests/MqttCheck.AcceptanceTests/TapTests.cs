using System.Net.Sockets;
using System.Text.RegularExpressions;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Captures.Tests;

namespace MqttCheck.AcceptanceTests;

/// <summary>A tap writes a log that can be learned from.</summary>
[TestFixture]
internal sealed partial class TapTests
{
    [Test]
    public async Task What_passed_a_tap_until_Ctrl_C_is_learned_from()
    {
        using var directory = new WorkDirectory();
        await using var broker = EmbeddedBroker.Start(new EmbeddedBrokerOptions());
        using var tool = ToolProcess.Start(
            directory.Path,
            "tap",
            "--listen",
            "0",
            "--to",
            $"127.0.0.1:{broker.Address.Port}"
        );
        await tool.WaitForAsync(@"listening on 127\.0\.0\.1:\d+");
        await TalkAsync(
            int.Parse(Port().Match(tool.Output).Groups[1].Value, System.Globalization.CultureInfo.InvariantCulture)
        );

        var result = await tool.EndAsync("INT");

        Assert.That(result.ExitCode, Is.Zero, result.ToString);
        Assert.That(result.Output, Does.Contain("tap: 101 exchanges of 1 clients on 1 topics in"));
        await ToolProcess.SucceedAsync(directory.Path, "learn", "logs/tap.csv", "--learner", "binned-quantiles");
    }

    private static async Task TalkAsync(int port)
    {
        var talk = new Talk();
        using var client = new TcpClient();
        await client.ConnectAsync("127.0.0.1", port);
        var stream = client.GetStream();
        await SendAsync(talk.Connect("a"), talk.Connack().Length);
        for (var i = 1; i <= 100; i++)
            await SendAsync(talk.Publish("x", "1", 1, i), talk.Puback(i).Length);

        async Task SendAsync(byte[] packet, int answerBytes)
        {
            await stream.WriteAsync(packet);
            await stream.ReadExactlyAsync(new byte[answerBytes]);
        }
    }

    [GeneratedRegex(@"listening on 127\.0\.0\.1:(\d+)")]
    private static partial Regex Port();
}
