namespace MqttCheck.Profiles;

/// <summary>A group of clients with the same profile inside a population.</summary>
/// <param name="Name">The group's name, unique in its population.</param>
/// <param name="Share">
/// How many clients of the population belong to the group, relative to the other groups; positive.
/// </param>
/// <param name="Profile">The behaviour of each client of the group.</param>
public sealed record ClientGroup(string Name, double Share, UsageProfile Profile);
