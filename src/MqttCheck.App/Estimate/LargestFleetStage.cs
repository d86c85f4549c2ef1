using MqttCheck.App.Progress;
using MqttCheck.Profiles;
using MqttCheck.Properties;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.App.Estimate;

/// <summary>The stage from a model and a property to the largest fleet for which it holds.</summary>
internal static class LargestFleetStage
{
    /// <summary>Seeks the limit of each population, as soon as it is known; the last one may be interrupted.</summary>
    /// <param name="tested">Is told of each test.</param>
    public static IEnumerable<(Population Population, FleetLimit Limit)> Run(
        Workplace place,
        LargestFleetRequest request,
        Action<Population, FleetLimitTest> tested
    )
    {
        foreach (var population in request.Populations)
        {
            var limit = FleetLimitSearch.Predict(
                request.Property,
                request.Model,
                population,
                request.From,
                request.To,
                request.Options,
                test => tested(population, test),
                place.Orderly
            );
            var notes = PropertySense.Notes(request.Property, population);
            yield return (population, limit with { Notes = [.. notes, .. limit.Notes] });
            if (limit.IsInterrupted)
                yield break;
        }
    }

    /// <summary>
    /// The conclusion: a gap is withheld, unless the property holds for the largest number that may be asked about.
    /// </summary>
    public static Conclusion Conclude(LargestFleetRequest request, FleetLimit limit) =>
        limit.IsExact || limit.Holds == (limit.Border ?? request.To) ? Conclusion.Success : Conclusion.Withheld;
}
