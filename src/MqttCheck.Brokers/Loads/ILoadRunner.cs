using MqttCheck.Brokers.Loads.Logs;

namespace MqttCheck.Brokers.Loads;

/// <summary>Makes runs of loads: in this process, or in several.</summary>
internal interface ILoadRunner
{
    /// <summary>Refuses a setup that cannot be run, before anything is written.</summary>
    /// <exception cref="InputException">The setup cannot be run; one line for each finding.</exception>
    void Require(LoadSetup setup);

    /// <summary>Makes a run, and returns when it is over.</summary>
    /// <param name="setup">The setup of the run.</param>
    /// <param name="sink">Takes the messages, on the run's thread; or null.</param>
    /// <param name="time">The clock that payloads take their time from.</param>
    /// <param name="progress">Told how far it is; or null.</param>
    /// <param name="cancellation">Ends the run early, in order.</param>
    /// <param name="abort">Ends it at once, without dropping sessions.</param>
    /// <exception cref="Processes.BrokerException">The clients cannot connect, or the broker refuses them.</exception>
    /// <exception cref="InputException">
    /// The broker offers less than the workload needs, or the setup cannot be run.
    /// </exception>
    LoadResult Run(
        LoadSetup setup,
        ILoadSink? sink,
        TimeProvider time,
        IProgress<LoadProgress>? progress,
        CancellationToken cancellation,
        CancellationToken abort
    );
}
