using System.Diagnostics;
using System.Globalization;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Processes.Recipes;

namespace MqttCheck.Brokers.Tests.Processes.Children;

/// <summary>The port mapper of Erlang, which outlives whoever started it.</summary>
[Platform("Linux,MacOsX")]
public sealed class EpmdTests
{
    // RabbitMQ does this once a minute (rabbit_nodes_common:ensure_epmd), with the environment that it has.
    [Test]
    public async Task An_Erlang_machine_that_a_RabbitMQ_broker_starts_leaves_no_epmd()
    {
        Installed.Require("rabbitmq-server");
        Installed.Require("erl");
        await using var directory = new TemporaryDirectory();
        var port = FreePort.Find();
        var start = new ProcessStartInfo("erl");
        foreach (var word in "-boot no_dot_erlang -sname epmd-starter-1 -noinput -s erlang halt".Split(' '))
            start.ArgumentList.Add(word);
        foreach (
            var (name, value) in new RabbitMqRecipe(isTuned: false).Prepare(directory.Path, FreePort.Find()).Environment
        )
            start.Environment[name] = value;
        start.Environment["ERL_EPMD_PORT"] = port.ToString(CultureInfo.InvariantCulture);
        using var erlang = Process.Start(start)!;
        await erlang.WaitForExitAsync();
        Assert.That(FreePort.IsTaken(port), Is.False);
    }
}
