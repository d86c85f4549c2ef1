using MqttCheck.Predictions;
using MqttCheck.Server.Questions;
using MqttCheck.Shards;

namespace MqttCheck.Server.Answers;

/// <summary>
/// Answers a question coarsely at once, and then better while one looks. The last answer is that of the command that
/// the page copies.
/// </summary>
/// <param name="question">The question.</param>
/// <param name="runner">Who computes; null for the threads of this process.</param>
/// <param name="report">Is given each event: its name and what it holds.</param>
internal sealed class QuestionSimulation(Question question, IShardRunner? runner, Action<string, object> report)
{
    /// <summary>The name of the event that holds an <see cref="Answer"/>.</summary>
    public const string AnswerEvent = "answer";

    /// <summary>The name of the event that holds a <see cref="CurveAnswer"/>.</summary>
    public const string CurveEvent = "curve";

    private readonly ScenarioForecast[] _scenarios =
    [
        .. question.Scenarios.Select(scenario => new ScenarioForecast(scenario, question, runner)),
    ];

    /// <summary>Simulates until the answer is final.</summary>
    /// <exception cref="InputException">
    /// The model has never seen a kind of message, or a simulation did not end.
    /// </exception>
    /// <exception cref="OperationCanceledException">Nobody wants to know any longer.</exception>
    public void Run(CancellationToken cancellation)
    {
        var steps = Refinement.Steps(question.Scenarios.Max(scenario => scenario.Clients));
        Threshold? threshold = question.Threshold;
        for (var step = 0; step < steps.Count; step++)
        {
            var isFinal = step == steps.Count - 1;
            var forecasts = Array.ConvertAll(_scenarios, one => one.Simulate(steps[step], cancellation));
            threshold ??= new(ThresholdChooser.Informative(forecasts[0].Prediction));
            report(AnswerEvent, AnswerOf(forecasts, threshold, steps[step], isFinal));
            if (step == 0 || isFinal)
                Curves(threshold, isFinal, steps[0], forecasts, cancellation);
        }
    }

    private Answer AnswerOf(Forecast[] forecasts, Threshold threshold, int replications, bool isFinal)
    {
        ScenarioAnswer[] answers =
        [
            .. _scenarios.Zip(forecasts, (scenario, forecast) => scenario.AnswerOf(forecast, threshold)),
        ];
        return new(
            question.Request,
            replications,
            isFinal,
            threshold.Asked,
            answers,
            [.. answers.Skip(1).Select((other, index) => Difference(answers[0], other, index + 1))]
        );
    }

    private static ScenarioDifference Difference(ScenarioAnswer first, ScenarioAnswer other, int place)
    {
        var interval = PredictionDifference.IntervalOf(
            first.Probability,
            new(first.Lower, first.Upper),
            other.Probability,
            new(other.Lower, other.Upper)
        );
        return new(
            place,
            other.Probability - first.Probability,
            interval.Lower,
            interval.Upper,
            PredictionDifference.Describe(interval)
        );
    }

    private void Curves(
        Threshold threshold,
        bool isFinal,
        int coarse,
        Forecast[] forecasts,
        CancellationToken cancellation
    )
    {
        for (var place = 0; place < _scenarios.Length; place++)
        {
            var one = _scenarios[place];
            var trained = TrustLight.TrainedUpTo(one.Scenario);
            var counts = Refinement.CurveCounts(one.Scenario.Clients, trained, one.MostClients);
            var points = new List<CurvePlace>();
            foreach (var clients in counts)
            {
                var replications = isFinal ? Refinement.Bounded(Refinement.OfCurve, clients) : coarse;
                var forecast =
                    clients == one.Scenario.Clients
                        ? forecasts[place]
                        : one.Simulate(Refinement.Bounded(replications, clients), cancellation, clients);
                var point = forecast.Point(threshold.Milliseconds);
                points.Add(
                    new(
                        clients,
                        forecast.Prediction.Replications,
                        point.Probability,
                        point.Interval.Lower,
                        point.Interval.Upper
                    )
                );
            }
            report(CurveEvent, new CurveAnswer(question.Request, place, isFinal, threshold.Asked, trained, points));
        }
    }
}
