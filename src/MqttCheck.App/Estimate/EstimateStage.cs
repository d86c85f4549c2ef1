using MqttCheck.App.Progress;
using MqttCheck.Latency;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Properties;
using MqttCheck.Properties.Traces;
using MqttCheck.Verification.Deciding;
using static System.FormattableString;

namespace MqttCheck.App.Estimate;

/// <summary>The stage from models and a property to answers, one for each setup.</summary>
internal static class EstimateStage
{
    /// <summary>Answers for each setup, as soon as it is known; the last one may be interrupted.</summary>
    public static IEnumerable<(string Where, PropertyAnswer Answer)> Predict(
        Workplace place,
        EstimateRequest request,
        LearnedModel learned
    )
    {
        foreach (var (population, clients, where) in Setups(place, request))
        {
            var answer = PropertyEstimator.Predict(
                request.Property,
                learned,
                population,
                clients,
                request.Options,
                place.Orderly
            );
            yield return (where, answer);
            if (answer.IsInterrupted)
                yield break;
        }
    }

    /// <summary>Compares two models for each setup, as soon as it is known.</summary>
    /// <param name="note">Is told how far a model may be trusted: the number of the model, and a note.</param>
    public static IEnumerable<(string Where, PairedAnswer Answer)> Compare(
        Workplace place,
        EstimateRequest request,
        LearnedModel first,
        LearnedModel second,
        Action<int, string> note
    )
    {
        var (property, options) = (request.Property, request.Options);
        foreach (var (population, clients, where) in Setups(place, request))
        {
            foreach (var (index, model) in ((LearnedModel[])[first, second]).Index())
            {
                var allowance = ModelAllowance.Of(property, model, population, clients, options, place.Orderly);
                foreach (var text in allowance.Notes)
                    note(index, text);
            }
            yield return (
                where,
                PropertyComparison.Compare(
                    property,
                    first.Model,
                    second.Model,
                    population,
                    clients,
                    options,
                    place.Orderly
                )
            );
        }
    }

    /// <summary>Answers from the counted sequences of a log.</summary>
    /// <param name="path">The log.</param>
    /// <exception cref="InputException">The log cannot be read, or has no such sequence.</exception>
    public static PropertyAnswer OfLog(
        IWorkProgress progress,
        TraceProperty property,
        PropertyOptions options,
        string path
    )
    {
        var log = ExchangeLogReader.Read(path);
        progress.Warn(log.Warnings);
        try
        {
            return PropertyEstimator.OfLog(property, log.Exchanges, options, log.Information.Cases);
        }
        catch (InputException exception)
        {
            throw new InputException($"{path}: {exception.Message}", exception);
        }
    }

    /// <summary>The conclusion from an answer: silence is withheld, and only a requirement can fail.</summary>
    public static Conclusion Conclude(PropertyAnswer answer) =>
        Conclusions.Of(
            answer.SaysNothing ? null
            : answer.Property.IsRequirement ? answer.Holds
            : true
        );

    /// <summary>The conclusion from a comparison: one that says nothing is withheld.</summary>
    public static Conclusion Conclude(PairedAnswer answer) => Conclusions.Of(answer.Difference is null ? null : true);

    private static IEnumerable<(Population Population, int Clients, string Where)> Setups(
        Workplace place,
        EstimateRequest request
    )
    {
        foreach (var (population, counts) in request.Fleets)
        {
            foreach (var count in counts)
            {
                var where = Invariant($"{population.Name}, {count} clients");
                if (request.ShowsProgress)
                    place.Progress.Report(double.NaN, where);
                yield return (population, count, where);
            }
        }
    }
}
