using MqttCheck.App.Progress;
using MqttCheck.Automata.Clients;
using MqttCheck.Automata.Exchange;
using MqttCheck.Automata.Networks;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Export;

/// <summary>The stage from a profile, latencies and clients to a network of automata with its properties.</summary>
internal static class ExportStage
{
    private const int ComparisonReplications = 1060;

    /// <summary>Makes the model, and warns of what an approximation changes.</summary>
    /// <exception cref="InputException">Automata cannot carry it, and it may not be approximated.</exception>
    public static NetworkModel Run(Workplace place, ExportRequest request)
    {
        var network = Network(place, request);
        if (request.Approximate)
        {
            (network, var notes) = LawLowering.Lower(network, approximate: true);
            place.Progress.Warn(notes);
        }
        return new()
        {
            Network = network,
            Properties =
            [
                .. request.ThresholdsMilliseconds.Select(threshold => new NetworkProperty.Probability(
                    Invariant($"all within {threshold} ms"),
                    Formula(request, threshold)
                )),
            ],
        };
    }

    private static AutomataNetwork Network(Workplace place, ExportRequest request)
    {
        if (!request.Approximate || !ClientApproximation.IsNeeded(request.Latencies))
            return ClientNetwork.Of(request.Setup, request.Latencies);
        var approximation = ClientApproximation.Of(request.Setup, request.Latencies, place.Orderly);
        var network = approximation.Network();
        place.Progress.Warn(approximation.Notes);
        var (difference, chance) = approximation.Compare(ComparisonReplications, cancellation: place.Orderly);
        place.Progress.Warn(
            Invariant($"Largest difference of P(all in time) over all thresholds: {difference:0.####}; up to ")
                + Invariant($"{chance:0.####} may be chance ({ComparisonReplications} simulations of each, 99 %).")
        );
        return network;
    }

    // A run is decided when the client's sequence has ended. Where there is no U, the bound on time is two hundred
    // times what the sequence takes on average, and more.
    private static PathFormula Formula(ExportRequest request, double threshold) =>
        request.Bounded
            ? new PathFormula.Eventually(
                ClientNetwork.AllInTime(threshold),
                new(
                    0,
                    Math.Ceiling(
                        1e5
                            + 200
                                * request.Setup.Population.Groups.Max(group =>
                                    group.Profile.SequenceLength * (1 + group.Profile.WaitMilliseconds.Mean)
                                )
                    )
                )
            )
            : new PathFormula.Until(
                !Expression.Of(ClientNetwork.Done),
                ClientNetwork.AllInTime(threshold),
                TimeBound.Any
            );
}
