using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Processes;

namespace MqttCheck.App.Clusters.Selfcheck;

/// <summary>The parameters of a self-check.</summary>
/// <param name="Broker">The broker of the comparison with the wire, or null for the embedded one.</param>
/// <param name="Clients">How many clients the comparison with the wire has.</param>
/// <param name="Duration">How long it takes.</param>
/// <param name="Audit">Whether requests are stamped by the kernel too.</param>
/// <param name="Seed">The user's seed.</param>
/// <param name="Hosted">The brokers that are served with a delay plan.</param>
internal sealed record SelfcheckRequest(
    BrokerSpecification? Broker,
    int Clients,
    TimeSpan Duration,
    bool Audit,
    ulong Seed,
    Func<DelayPlan, Func<BrokerSpecification, HostedBroker?>> Hosted
);
