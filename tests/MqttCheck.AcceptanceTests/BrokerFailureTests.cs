namespace MqttCheck.AcceptanceTests;

/// <summary>
/// A broker that fails ends the tool with exit code 3 and one message, and what was written before stays.
/// </summary>
[Parallelizable(ParallelScope.All)]
public sealed class BrokerFailureTests
{
    [Test]
    [Platform("Linux")]
    public async Task A_broker_that_dies_while_it_is_explored_loses_nothing_that_was_logged()
    {
        using var directory = new WorkDirectory();
        var (broker, address) = await ToolProcess.ServeAsync(directory.Path);
        using var _ = broker;
        using var tool = ToolProcess.Start(directory.Path, "explore", "--for", "10s", "--broker", address);
        await tool.WaitForAsync(@"Explore: [3-7]\d %");
        broker.Signal("KILL");
        var result = await tool.WaitAsync();

        Assert.That(result.ExitCode, Is.EqualTo(3), result.ToString);
        Assert.That(result.Error, Does.Contain("127.0.0.1").And.Not.Contain("   at "), result.ToString);
        await ToolProcess.SucceedAsync(directory.Path, "learn", directory.Only("logs", "*.csv"));
    }
}
