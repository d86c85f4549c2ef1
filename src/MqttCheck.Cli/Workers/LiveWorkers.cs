using MqttCheck.Brokers.Fleets;

namespace MqttCheck.Cli.Workers;

/// <summary>Who makes the live runs of a command: this process, or workers, which are let go of at the end.</summary>
internal sealed class LiveWorkers(IFleetRunner fleets, IAsyncDisposable? connection) : IAsyncDisposable
{
    /// <summary>This process.</summary>
    public static LiveWorkers None { get; } = new(LocalFleetRunner.Instance, null);

    /// <summary>Who makes the runs.</summary>
    public IFleetRunner Fleets { get; } = fleets;

    public ValueTask DisposeAsync() => connection?.DisposeAsync() ?? ValueTask.CompletedTask;
}
