namespace MqttCheck.Auditing;

/// <summary>A statistical rule whose true error can be computed; see <see cref="RuleAudit.Rules"/>.</summary>
public sealed class AuditedRule
{
    private readonly Func<double, (double Error, double Samples)> _compute;
    private readonly double[] _own;

    /// <param name="rule">The rule and its parameters.</param>
    /// <param name="error">What counts as an error.</param>
    /// <param name="isGuarantee">Whether the rule is offered as a guarantee.</param>
    /// <param name="promised">The error probability it promises, or suggests.</param>
    /// <param name="compute">
    /// The true error and the expected number of samples at a probability; called by several threads at once.
    /// </param>
    /// <param name="own">
    /// Probabilities that belong to the grid of this rule, whatever else does: there its error is largest.
    /// </param>
    internal AuditedRule(
        string rule,
        string error,
        bool isGuarantee,
        double promised,
        Func<double, (double Error, double Samples)> compute,
        params double[] own
    ) => (Rule, Error, IsGuarantee, Promised, _compute, _own) = (rule, error, isGuarantee, promised, compute, own);

    /// <summary>The rule and its parameters.</summary>
    public string Rule { get; }

    /// <summary>What counts as an error of this rule.</summary>
    public string Error { get; }

    /// <summary>
    /// Whether the rule is offered as a guarantee; the others are named approximate, or promise something else.
    /// </summary>
    public bool IsGuarantee { get; }

    /// <summary>The error probability it promises, or suggests.</summary>
    public double Promised { get; }

    /// <summary>Computes the largest true error on a grid.</summary>
    /// <param name="grid">True probabilities, each in (0, 1); at least one.</param>
    /// <param name="threads">How many threads share the work, 1 or more; the result is the same for any number.</param>
    /// <param name="cancellation">Stops between two probabilities.</param>
    /// <exception cref="OperationCanceledException">It was stopped.</exception>
    public AuditLine On(IReadOnlyList<double> grid, int threads = 1, CancellationToken cancellation = default)
    {
        double[] all = [.. grid, .. _own];
        var results = new (double Error, double Samples)[all.Length];
        Parallel.For(
            0,
            all.Length,
            new() { MaxDegreeOfParallelism = threads, CancellationToken = cancellation },
            i => results[i] = _compute(all[i])
        );
        var worst = 0;
        for (var i = 1; i < all.Length; i++)
            if (results[i].Error > results[worst].Error)
                worst = i;
        return new(
            Rule,
            Error,
            IsGuarantee,
            Promised,
            results[worst].Error,
            all[worst],
            results.Max(result => result.Samples)
        );
    }
}
