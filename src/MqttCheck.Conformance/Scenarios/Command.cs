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

    /// <summary>The command as a line of a scenario has it, for example <c>publish ~/a qos=1 retain</c>.</summary>
    public sealed override string ToString() => ScenarioText.Format(this);
}
