using MqttCheck.Protocol;

namespace MqttCheck.Automata.Networks;

/// <summary>A network with the questions that are asked about it: what a model file holds.</summary>
internal sealed record NetworkModel
{
    /// <summary>The network.</summary>
    public required AutomataNetwork Network { get; init; }

    /// <summary>The questions.</summary>
    public ValueList<NetworkProperty> Properties { get; init; }

    /// <summary>The questions of the file that this library does not answer, with the reason.</summary>
    public ValueList<RefusedProperty> Refused { get; init; }

    /// <summary>The question of a name.</summary>
    /// <param name="name">The name.</param>
    /// <exception cref="InputException">There is none, or it was refused.</exception>
    public NetworkProperty Property(string name) =>
        Properties.FirstOrDefault(property => property.Name == name)
        ?? throw new InputException(
            Refused.FirstOrDefault(refused => refused.Name == name) is { Name: not null } known
                ? known.Reason
                : $"network {Network.Name}: there is no property {name}; allowed: "
                    + (Properties.Count == 0 ? "none" : string.Join(", ", Properties.Select(one => one.Name)))
        );
}
