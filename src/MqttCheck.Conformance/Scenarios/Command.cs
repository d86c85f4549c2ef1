using MqttCheck.Clients;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>
/// A command of a client in a scenario. Topics and filters are symbolic: <c>~</c> stands for a name that is fresh in
/// every run. So runs do not meet on a broker.
/// </summary>
public abstract record Command
{
    private protected Command() { }

    /// <summary>The input of the functional model; null for a command that is no client's.</summary>
    public abstract ClientInput? Input { get; }

    /// <summary>How many bytes at a time its packets are written; 0 for each packet as a whole.</summary>
    internal int SplitBytes { get; init; }

    /// <summary>
    /// Whether its packets are held back and written together with the next packet of the client. So the next line of
    /// the client does not wait for what this one causes.
    /// </summary>
    internal bool WithNext { get; init; }

    /// <summary>The command as a line of a scenario has it, for example <c>publish ~/a qos=1 retain</c>.</summary>
    public sealed override string ToString() => ScenarioText.Format(this);
}
