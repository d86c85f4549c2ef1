namespace MqttCheck.AcceptanceTests;

/// <summary>
/// A broker that fails ends the tool with exit code 3 and one message, and what was written before stays.
/// </summary>
[Parallelizable(ParallelScope.All)]
public sealed class BrokerFailureTests
{
    [Test]
    public async Task Nothing_listens()
    {
        var result = await ExploreAsync(FakeBroker.NoAddress());
        Assert.That(result.Error, Does.Contain("127.0.0.1").And.Contain("listen"));
    }

    [Test]
    public async Task The_broker_closes_every_connection()
    {
        using var broker = new FakeBroker(socket => socket.Close());
        var result = await ExploreAsync(broker.Address);
        Assert.That(result.Error, Does.Contain("127.0.0.1").And.Contain("closed"));
    }

    [Test]
    public async Task The_broker_sends_garbage()
    {
        using var broker = new FakeBroker(socket => socket.Send("SSH-2.0-OpenSSH_9.2p1\r\n"u8));
        var result = await ExploreAsync(broker.Address);
        Assert.That(result.Error, Does.Contain("127.0.0.1").And.Contain("MQTT"));
    }

    [Test]
    public async Task The_broker_never_answers()
    {
        using var broker = new FakeBroker(_ => { });
        var result = await ExploreAsync(broker.Address);
        Assert.That(result.Error, Does.Contain("127.0.0.1").And.Contain("answer"));
    }

    [Test]
    public async Task The_broker_refuses_the_client()
    {
        // CONNACK with return code 5, not authorized (MQTT 3.1.1, table 3.1).
        using var broker = new FakeBroker(socket => socket.Send([0x20, 2, 0, 5]));
        var result = await ExploreAsync(broker.Address);
        Assert.That(result.Error, Does.Contain("127.0.0.1").And.Contain("refuses the user name or password"));
    }

    [Test]
    [Platform("Linux")]
    public async Task A_broker_that_dies_while_it_is_explored_loses_nothing_that_was_logged()
    {
        using var directory = new WorkDirectory();
        using var broker = ToolProcess.Start(directory.Path, "broker", "--port", "0", "--delay", "lognormal:5ms,0.5");
        await broker.WaitForAsync("listening on ");
        using var tool = ToolProcess.Start(
            directory.Path,
            "explore",
            "--for",
            "10s",
            "--broker",
            "mqtt://" + broker.Output.Split("listening on ")[1].Trim()
        );
        await tool.WaitForAsync(@"Explore: [3-7]\d %");
        broker.Signal("KILL");
        var result = await tool.WaitAsync();

        Assert.That(result.ExitCode, Is.EqualTo(3), result.ToString);
        Assert.That(result.Error, Does.Contain("127.0.0.1").And.Not.Contain("   at "), result.ToString);
        var learned = await ToolProcess.RunAsync(directory.Path, "learn", directory.Only("logs", "*.csv"));
        Assert.That(learned.ExitCode, Is.Zero, learned.ToString);
    }

    private static async Task<ToolResult> ExploreAsync(string broker)
    {
        using var directory = new WorkDirectory();
        var result = await ToolProcess.RunAsync(directory.Path, "explore", "--for", "10s", "--broker", broker);
        Assert.That(result.ExitCode, Is.EqualTo(3), result.ToString);
        Assert.That(result.Error, Does.Not.Contain("   at "), result.ToString);
        return result;
    }
}
