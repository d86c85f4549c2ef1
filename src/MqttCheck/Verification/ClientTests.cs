using MqttCheck.Sequential;

namespace MqttCheck.Verification;

/// <summary>
/// One sequential probability ratio test for each client, as they go on: see <see cref="ClientVerdicts"/>.
/// </summary>
/// <param name="plan">The hypotheses and errors, the same for each client.</param>
internal sealed class ClientTests(SprtPlan plan)
{
    private readonly SortedDictionary<int, SequentialProbabilityRatioTest> _tests = [];

    /// <summary>The decisions so far.</summary>
    public ClientVerdicts Verdicts =>
        new(
            Count(SprtDecision.AcceptH1),
            Count(SprtDecision.AcceptH0),
            Count(SprtDecision.Undecided),
            _tests
                .Values.Where(test => test.Decision != SprtDecision.Undecided)
                .Select(test => test.Samples)
                .DefaultIfEmpty()
                .Max()
        );

    /// <summary>Counts one sequence. Those of a client must come in the order in which they were issued.</summary>
    /// <param name="client">The client's number.</param>
    /// <param name="success">Whether the sequence was in time.</param>
    public void Add(int client, bool success)
    {
        if (!_tests.TryGetValue(client, out var test))
            _tests.Add(client, test = new(plan));
        test.Add(success);
    }

    private int Count(SprtDecision decision) => _tests.Values.Count(test => test.Decision == decision);
}
