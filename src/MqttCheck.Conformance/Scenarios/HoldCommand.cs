using MqttCheck.Clients;

namespace MqttCheck.Conformance.Scenarios;

/// <summary>Begins or ends to withhold acknowledgements of deliveries; ending it sends those withheld.</summary>
/// <param name="Withhold">Whether acknowledgements are withheld from now on.</param>
internal sealed record HoldCommand(bool Withhold) : Command
{
    /// <inheritdoc/>
    public override ClientInput? Input => Withhold ? ClientInput.Hold : ClientInput.Release;

    /// <summary>
    /// Withholds PUBCOMP alone: an exchange of QoS 2 goes on until the broker has sent PUBREL.
    /// </summary>
    public bool PubcompOnly { get; init; }
}
