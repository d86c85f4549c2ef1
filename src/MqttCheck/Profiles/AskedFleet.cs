namespace MqttCheck.Profiles;

/// <summary>A population and the numbers of clients that are asked about.</summary>
/// <param name="Population">Who the clients are and what they do.</param>
/// <param name="Clients">How many there are, ascending.</param>
internal sealed record AskedFleet(Population Population, IReadOnlyList<int> Clients);
