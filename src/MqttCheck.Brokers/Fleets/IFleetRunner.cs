using MqttCheck.Logs;

namespace MqttCheck.Brokers.Fleets;

/// <summary>Makes runs of fleets: in this process, or in several.</summary>
public interface IFleetRunner
{
    /// <summary>Makes a run, and returns when it is over.</summary>
    /// <param name="setup">The setup of the run.</param>
    /// <param name="sink">Takes the exchanges in the order in which they ended, on one thread.</param>
    /// <param name="progress">Told how far it is; or null.</param>
    /// <param name="cancellation">Ends the run early, in order.</param>
    /// <param name="abort">Ends it at once, without dropping sessions.</param>
    /// <exception cref="Processes.BrokerException">Nobody can connect, or one client cannot for long.</exception>
    /// <exception cref="InputException">
    /// The setup is invalid, or the system has not enough for so many clients.
    /// </exception>
    FleetRunResult Run(
        FleetSetup setup,
        IExchangeSink sink,
        IProgress<FleetProgress>? progress,
        CancellationToken cancellation,
        CancellationToken abort
    );
}
