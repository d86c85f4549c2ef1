namespace MqttCheck.Brokers.Fleets.Parts;

/// <summary>The clients of a fleet that one of several parts has: client i is in part i mod n.</summary>
/// <param name="Part">The number of the part, 0 .. <paramref name="Parts"/> - 1.</param>
/// <param name="Parts">How many parts there are, at least 1.</param>
internal readonly record struct FleetShare(int Part, int Parts)
{
    /// <summary>How many clients the part has.</summary>
    /// <param name="clients">How many the fleet has.</param>
    public int Of(int clients) => (clients - Part + Parts - 1) / Parts;

    /// <summary>The part that has a client.</summary>
    public int OwnerOf(int client) => client % Parts;
}
