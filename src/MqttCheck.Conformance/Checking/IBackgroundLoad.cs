using MqttCheck.Brokers.Processes;

namespace MqttCheck.Conformance.Checking;

/// <summary>A load that keeps a broker busy while scenarios run on it.</summary>
internal interface IBackgroundLoad
{
    /// <summary>Its name, in the words of the command line.</summary>
    string Name { get; }

    /// <summary>Begins it; it goes on until <see cref="Stop"/>. Called while it does not run.</summary>
    /// <exception cref="BrokerException">The broker does not take it.</exception>
    void Start();

    /// <summary>Ends it, and removes what it left on the broker. Does nothing while it does not run.</summary>
    void Stop();
}
