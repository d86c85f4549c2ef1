using System.Globalization;
using MqttCheck.Automata.Networks;
using MqttCheck.Statistics.Laws;
using static MqttCheck.Automata.Networks.Expression;

namespace MqttCheck.Automata.Exchange;

/// <summary>
/// Replaces draws from laws by draws from named distributions, which other tools know: an empirical law by a uniform
/// number and the linear pieces of its quantile function, a mixture by weighted destinations.
/// </summary>
internal static class LawLowering
{
    /// <summary>The most pieces that an empirical law may have.</summary>
    public const int MostPieces = 16;

    /// <summary>A network that draws from named distributions only.</summary>
    /// <param name="network">The network.</param>
    /// <param name="approximate">
    /// Whether an empirical law of more pieces is replaced by one of <see cref="MostPieces"/>; otherwise it is an
    /// error.
    /// </param>
    /// <returns>The network, and one sentence per law that was replaced, with the distance.</returns>
    /// <exception cref="InputException">A law cannot be written by named distributions.</exception>
    public static (AutomataNetwork Network, IReadOnlyList<string> Notes) Lower(
        AutomataNetwork network,
        bool approximate = false
    )
    {
        var notes = new List<string>();
        var lowered = network with
        {
            Automata =
            [
                .. network.Automata.Select(automaton => new AutomatonLowering(automaton, approximate, notes).Lower()),
            ],
        };
        return (lowered, [.. notes.Distinct()]);
    }

    /// <summary>An empirical law with fewer pieces: the quantiles of the law at equally spaced probabilities.</summary>
    /// <param name="law">The law.</param>
    /// <param name="pieces">How many pieces, at least 1.</param>
    /// <returns>
    /// The new law, and the largest difference of the two distribution functions (the distance of Kolmogorov).
    /// </returns>
    public static (EmpiricalLaw Law, double Distance) Coarsen(EmpiricalLaw law, int pieces = MostPieces)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(pieces);
        var coarse = new EmpiricalLaw(Enumerable.Range(0, pieces + 1).Select(i => law.Quantile((double)i / pieces)));
        // Both are linear between knots; just below a knot the difference may be larger than at it, where the knot is
        // an atom.
        var distance = law
            .Quantiles.Concat(coarse.Quantiles)
            .SelectMany(knot => new[] { knot, Math.BitDecrement(knot) })
            .Max(x => Math.Abs(law.CumulativeProbability(x) - coarse.CumulativeProbability(x)));
        return (coarse, distance);
    }

    // The laws of one automaton; the variables that it needs for them are counted on the way.
    private sealed class AutomatonLowering(StochasticTimedAutomaton automaton, bool approximate, List<string> notes)
    {
        private int _helpers;

        public StochasticTimedAutomaton Lower()
        {
            var edges = automaton.Edges.Select(Lower).ToList();
            var variables = automaton.Variables.Concat(
                Enumerable
                    .Range(0, _helpers)
                    .Select(i => new VariableDeclaration(HelperName(automaton, i), VariableType.Real))
            );
            return automaton with { Edges = [.. edges], Variables = [.. variables] };
        }

        private Edge Lower(Edge edge, int number)
        {
            var where = string.Create(
                CultureInfo.InvariantCulture,
                $"automaton {automaton.Name}, edge {number} from {edge.Source}"
            );
            return edge with
            {
                Destinations =
                [
                    .. edge.Destinations.SelectMany(WithoutMixtures).Select(destination => Lower(destination, where)),
                ],
            };
        }

        private Destination Lower(Destination destination, string where)
        {
            if (
                !destination.Assignments.Any(assignment =>
                    ExpressionText.Parts(assignment.Value).Any(part => part is LawSample)
                )
            )
                return destination;
            var used = 0;
            var assignments = new List<Assignment>();
            foreach (var assignment in destination.Assignments.OrderBy(assignment => assignment.Order))
            {
                // Only one of the laws in different branches is drawn, so one number serves all of them.
                var single = MostDrawn(assignment.Value) == 1;
                var shared = default(string);
                var value = Map(
                    assignment.Value,
                    part => part is LawSample sample ? Piecewise(sample.Law, assignment.Order, single) : null
                );
                assignments.Add(assignment with { Value = value, Order = 2 * assignment.Order + 1 });

                // The probability whose quantile is taken is drawn in a group of its own before the assignment.
                Expression Piecewise(Law law, int order, bool single)
                {
                    if (law is not EmpiricalLaw empirical)
                        return Named(law, where);
                    empirical = WithFewPieces(empirical, where);
                    var probability = shared;
                    if (probability is null)
                    {
                        probability = HelperName(automaton, used++);
                        _helpers = Math.Max(_helpers, used);
                        assignments.Add(new(probability, Draw(Distribution.Uniform, 0, 1)) { Order = 2 * order });
                    }
                    if (single)
                        shared = probability;
                    var pieces = empirical.Quantiles.Length - 1;
                    return Pieces(empirical, Of(probability) * pieces, 0, pieces);
                }
            }
            return destination with { Assignments = [.. assignments] };
        }

        private EmpiricalLaw WithFewPieces(EmpiricalLaw law, string where)
        {
            var pieces = law.Quantiles.Length - 1;
            if (pieces <= MostPieces)
                return law;
            if (!approximate)
            {
                throw new InputException(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{where}: an empirical law has {pieces} "
                            + $"pieces; allowed: up to {MostPieces}, or an approximation, as "
                            + $"'mqttcheck export --approximate' makes"
                    )
                );
            }
            var (coarse, distance) = Coarsen(law);
            notes.Add(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{automaton.Name}: an empirical law of {pieces} pieces was replaced by one of {MostPieces}; "
                        + $"largest difference of the distribution functions {distance:0.####}"
                )
            );
            return coarse;
        }
    }

    private static string HelperName(StochasticTimedAutomaton automaton, int number)
    {
        var name = string.Create(CultureInfo.InvariantCulture, $"probability{number}");
        while (automaton.Variables.Any(variable => variable.Name == name))
            name += "_";
        return name;
    }

    // One destination per component of the first mixture, and so on for the others.
    private static IEnumerable<Destination> WithoutMixtures(Destination destination)
    {
        var mixed = destination
            .Assignments.SelectMany(assignment => ExpressionText.Parts(assignment.Value))
            .OfType<LawSample>()
            .FirstOrDefault(sample => sample.Law is MixtureLaw);
        if (mixed is null)
            return [destination];
        var at = destination
            .Assignments.ToList()
            .FindIndex(assignment =>
                ExpressionText.Parts(assignment.Value).Contains(mixed, ReferenceEqualityComparer.Instance)
            );
        var components = ((MixtureLaw)mixed.Law).Components;
        var total = components.Sum(component => component.Weight);
        return components.SelectMany(component =>
            WithoutMixtures(
                destination with
                {
                    Weight = destination.Weight * (component.Weight / total),
                    Assignments =
                    [
                        .. destination.Assignments.Select(
                            (assignment, i) =>
                                i == at
                                    ? assignment with
                                    {
                                        Value = Replaced(assignment.Value, mixed, new LawSample(component.Law)),
                                    }
                                    : assignment
                        ),
                    ],
                }
            )
        );
    }

    private static Expression Named(Law law, string where) =>
        law switch
        {
            ConstantLaw constant => constant.Value,
            UniformLaw uniform => Draw(Distribution.Uniform, uniform.Minimum, uniform.Maximum),
            ExponentialLaw exponential => Draw(Distribution.Exponential, 1 / exponential.MeanValue),
            NormalLaw { Sigma: 0 } or LogNormalLaw { Sigma: 0 } => law.Mean,
            NormalLaw normal => Max(0, Draw(Distribution.Normal, normal.Location, normal.Sigma)),
            LogNormalLaw logNormal => Draw(Distribution.LogNormal, Math.Log(logNormal.Median), logNormal.Sigma),
            _ => throw new InputException(
                $"{where}: the law {law} cannot be written by named distributions; allowed: "
                    + "constant, uniform, exponential, normal, lognormal, empirical, mixture"
            ),
        };

    // The most numbers that are drawn when the expression is evaluated.
    private static int MostDrawn(Expression expression) =>
        expression switch
        {
            LawSample or Sample => 1,
            Unary unary => MostDrawn(unary.Operand),
            Binary binary => MostDrawn(binary.Left) + MostDrawn(binary.Right),
            Conditional conditional => MostDrawn(conditional.Condition)
                + Math.Max(MostDrawn(conditional.Then), MostDrawn(conditional.Otherwise)),
            _ => 0,
        };

    // The pieces from..until of the quantile function at a position, as a balanced tree of choices.
    private static Expression Pieces(EmpiricalLaw law, Expression position, int from, int until)
    {
        if (until - from > 1)
        {
            var middle = (from + until) / 2;
            return If(position < middle, Pieces(law, position, from, middle), Pieces(law, position, middle, until));
        }
        return law.Quantiles[from] + (position - from) * (law.Quantiles[until] - law.Quantiles[from]);
    }

    // Only the first occurrence is replaced: an object may stand at two places, each of which draws for itself.
    private static Expression Replaced(Expression expression, LawSample one, Expression replacement)
    {
        var found = false;
        return Map(
            expression,
            part =>
            {
                if (found || !ReferenceEquals(part, one))
                    return null;
                found = true;
                return replacement;
            }
        );
    }

    /// <summary>An expression with some parts replaced.</summary>
    /// <param name="expression">The expression.</param>
    /// <param name="replacement">Gives the replacement of a part; null to look into the part.</param>
    internal static Expression Map(Expression expression, Func<Expression, Expression?> replacement) =>
        replacement(expression)
        ?? expression switch
        {
            Unary unary => unary with { Operand = Map(unary.Operand, replacement) },
            Binary binary => binary with
            {
                Left = Map(binary.Left, replacement),
                Right = Map(binary.Right, replacement),
            },
            Conditional conditional => new Conditional(
                Map(conditional.Condition, replacement),
                Map(conditional.Then, replacement),
                Map(conditional.Otherwise, replacement)
            ),
            _ => expression,
        };
}
