using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Loads;

namespace MqttCheck.App.Runs;

/// <summary>Who makes the live runs of a command: this process, or workers, which are let go of at the end.</summary>
internal sealed class LiveWorkers(IFleetRunner fleets, ILoadRunner loads, IAsyncDisposable? connection)
    : IAsyncDisposable
{
    /// <summary>This process.</summary>
    public static LiveWorkers None { get; } = new(LocalFleetRunner.Instance, LocalLoadRunner.Instance, null);

    /// <summary>Who makes the runs of fleets.</summary>
    public IFleetRunner Fleets { get; } = fleets;

    /// <summary>Who makes the runs of loads.</summary>
    public ILoadRunner Loads { get; } = loads;

    public ValueTask DisposeAsync() => connection?.DisposeAsync() ?? ValueTask.CompletedTask;
}
