using MqttCheck.App.Predict;
using MqttCheck.App.Runs;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Protocol;
using MqttCheck.Statistics;

namespace MqttCheck.App.Compare;

/// <summary>A broker of a comparison that runs.</summary>
/// <param name="Label">The name that tells it apart.</param>
/// <param name="Files">The files of its runs.</param>
internal sealed record ComparedBroker(
    string Label,
    BrokerChoice Choice,
    ProtocolVersion Version,
    IBrokerUnderTest Running,
    RunFiles Files
)
{
    /// <summary>The broker in words.</summary>
    public string Description => PredictStage.Describe(Running.Description.Logged(Version, Choice.Client));

    /// <summary>How its runs are made.</summary>
    /// <param name="seed">The seed of the runs.</param>
    /// <param name="fleets">Who makes them.</param>
    public CampaignOptions Campaign(ulong seed, IFleetRunner fleets) =>
        Choice.Live(Version).Campaign(SeedPurpose.Explore) with
        {
            Seed = seed,
            Fleets = fleets,
        };

    /// <summary>The warnings about runs of it.</summary>
    public IEnumerable<string> Warnings(IReadOnlyList<FleetRunResult> runs) => Named(RunWarnings.Of(runs));

    /// <summary>Sentences about it, with its name.</summary>
    public IEnumerable<string> Named(IEnumerable<string> sentences) =>
        sentences.Select(sentence => $"{Label}: {sentence}");
}
