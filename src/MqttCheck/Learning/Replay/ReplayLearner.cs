using System.Globalization;
using MqttCheck.Latency.Quality;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;

namespace MqttCheck.Learning.Replay;

/// <summary>
/// Not a learner of its own: lets <see cref="LearnerCatalogue.Candidates"/> compete, and takes the one whose replay of
/// held-out cases is best.
/// </summary>
internal sealed class ReplayLearner : ILearner
{
    /// <summary>The name.</summary>
    public const string LearnerName = "best";

    /// <summary>How many models that are as good as the best are kept beside it.</summary>
    public const int MostAlternatives = 2;

    /// <summary>A model that is off by more in the root mean square is not to be trusted.</summary>
    public const double MostError = 0.1;

    /// <inheritdoc/>
    public string Name => LearnerName;

    /// <inheritdoc/>
    public string Description =>
        "Whichever of the others, but the two normal laws, replays held-out training cases best.";

    /// <inheritdoc/>
    public FittedModel Learn(TrainingData data, ulong seed)
    {
        var observed = ObservedCase.Of(data);
        var learners = LearnerCatalogue.Candidates;
        var (qualities, remarks) = Judge(data, observed, learners, seed);
        var order = Enumerable
            .Range(0, learners.Count)
            .Where(i => qualities[i] is not null)
            .OrderBy(i => qualities[i]!.Error)
            .ToArray();
        var candidates = learners
            .Select((learner, i) => new CandidateModel(learner.Name, qualities[i]?.Error ?? double.NaN, remarks[i]))
            .ToArray();
        if (order.Length == 0)
        {
            var only = learners[0].Learn(data, seed);
            return only with
            {
                Candidates = candidates,
                Notes =
                [
                    .. only.Notes,
                    $"{learners[0].Name} was taken without comparison: there are fewer than "
                        + $"{ReplaySelection.FewestCases} training cases whose clients are known.",
                ],
            };
        }
        var best = order
            .Where(i => qualities[i]!.Error <= qualities[order[0]]!.Error + ReplaySelection.Indistinguishable)
            .Min();
        var ties = order
            .Where(i => i != best && qualities[i]!.Error <= qualities[best]!.Error + ReplaySelection.NearTie)
            .Take(MostAlternatives)
            .ToArray();
        var models = new FittedModel[1 + ties.Length];
        Parallel.For(0, models.Length, i => models[i] = learners[i == 0 ? best : ties[i - 1]].Learn(data, seed));
        var error = qualities[best]!.Error;
        string[] cautions =
            error <= MostError
                ? []
                :
                [
                    "Do not trust this model: replaying training cases that were held out, even the "
                        + string.Create(
                            CultureInfo.InvariantCulture,
                            $"best learner was off by {error:0.00} (root mean square of the probability)."
                        ),
                ];
        return new(models[0].Model, [.. cautions, .. models[0].Notes])
        {
            Cautions = cautions,
            Replay = qualities[best]!.Beside([.. ties.Select(i => qualities[i]!)]),
            Alternatives = [.. models.Skip(1).Select(fitted => fitted.Model)],
            Candidates = candidates,
        };
    }

    // Each learner is judged with a seed of its own making; the number of threads changes nothing.
    private static (ReplayQuality?[] Qualities, string[] Remarks) Judge(
        TrainingData data,
        ObservedCase[] observed,
        IReadOnlyList<ILearner> learners,
        ulong seed
    )
    {
        var qualities = new ReplayQuality?[learners.Count];
        var remarks = new string[learners.Count];
        Parallel.For(
            0,
            learners.Count,
            i =>
            {
                try
                {
                    qualities[i] = ReplaySelection.Judge(data, observed, learners[i], seed);
                    remarks[i] = qualities[i] is null ? "too few cases to hold some out" : "";
                }
                catch (InputException exception)
                {
                    remarks[i] = exception.Message;
                }
            }
        );
        return (qualities, remarks);
    }
}
