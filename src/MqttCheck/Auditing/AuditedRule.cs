namespace MqttCheck.Auditing;

/// <summary>A statistical rule whose true error can be computed; see <see cref="RuleAudit.Rules"/>.</summary>
/// <param name="rule">The rule and its parameters.</param>
/// <param name="error">The wrong answer that counts as an error.</param>
/// <param name="isGuarantee">
/// Whether the rule is offered as a guarantee; the others are named approximate, or promise something else.
/// </param>
/// <param name="promised">The error probability it promises, or suggests.</param>
/// <param name="compute">
/// The true error and the expected number of samples at a probability; called by several threads at once.
/// </param>
/// <param name="own">
/// Probabilities that belong to the grid of this rule, whatever else does: there its error is largest.
/// </param>
internal sealed class AuditedRule(
    string rule,
    string error,
    bool isGuarantee,
    double promised,
    Func<double, (double Error, double Samples)> compute,
    params double[] own
)
{
    /// <summary>Computes the largest true error on a grid.</summary>
    /// <param name="grid">True probabilities, each in (0, 1); at least one.</param>
    /// <param name="threads">How many threads share the work, 1 or more; the result is the same for any number.</param>
    /// <param name="cancellation">Stops between two probabilities.</param>
    /// <exception cref="OperationCanceledException">It was stopped.</exception>
    public AuditLine On(IReadOnlyList<double> grid, int threads = 1, CancellationToken cancellation = default)
    {
        double[] all = [.. grid, .. own];
        var results = new (double Error, double Samples)[all.Length];
        Parallel.For(
            0,
            all.Length,
            new() { MaxDegreeOfParallelism = threads, CancellationToken = cancellation },
            i => results[i] = compute(all[i])
        );
        var worst = Enumerable.Range(0, all.Length).MaxBy(i => results[i].Error);
        return new(
            rule,
            error,
            isGuarantee,
            promised,
            results[worst].Error,
            all[worst],
            results.Max(result => result.Samples)
        );
    }
}
