namespace MqttCheck.Simulation;

/// <summary>Sums over simulated replications; integers, so that the order of adding does not matter.</summary>
internal struct FleetTotals
{
    public long Events,
        Exchanges,
        CountedExchanges,
        CountedActive;
    public int MaximumActive;

    public readonly FleetTotals Plus(in FleetTotals other) =>
        new()
        {
            Events = Events + other.Events,
            Exchanges = Exchanges + other.Exchanges,
            CountedExchanges = CountedExchanges + other.CountedExchanges,
            CountedActive = CountedActive + other.CountedActive,
            MaximumActive = Math.Max(MaximumActive, other.MaximumActive),
        };
}
