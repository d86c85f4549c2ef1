using MqttCheck.Properties.Formulas;

namespace MqttCheck.Tests.Properties.Formulas;

/// <summary>
/// The truth tables at a message, written down by hand, in the code and in docs/reference/checking.md.
/// </summary>
[TestFixture]
internal sealed class JudgementLogicTests
{
    private const string Order = "Tt-fF";

    // Rows and columns in the order above. False is false whatever does not apply; what does not apply leaves the rest
    // undecided, leaning to what applies.
    private static readonly string[] s_and = ["TttfF", "tttfF", "tt-fF", "ffffF", "FFFFF"];

    private static readonly string[] s_or = ["TTTTT", "Ttttt", "Tt-ff", "Ttfff", "TtffF"];

    [Test]
    public void Conjunction_disjunction_and_negation_follow_their_tables()
    {
        using var _ = Assert.EnterMultipleScope();
        for (var row = 0; row < Order.Length; row++)
        {
            for (var column = 0; column < Order.Length; column++)
            {
                Judgement one = Value(Order[row]),
                    other = Value(Order[column]);
                Assert.That(
                    Letter(JudgementLogic.And(one, other)),
                    Is.EqualTo(s_and[row][column]),
                    $"{Order[row]} & {Order[column]}"
                );
                var or = JudgementLogic.Not(JudgementLogic.And(JudgementLogic.Not(one), JudgementLogic.Not(other)));
                Assert.That(Letter(or), Is.EqualTo(s_or[row][column]), $"{Order[row]} | {Order[column]}");
            }
        }
        Assert.That(
            string.Concat(Order.Select(letter => Letter(JudgementLogic.Not(Value(letter))))),
            Is.EqualTo("Ff-tT")
        );
    }

    [Test]
    public void The_documentation_prints_the_table_of_the_conjunction()
    {
        var page = File.ReadAllLines(RepositoryFiles.At("docs/reference/checking.md"));
        var begin = Array.IndexOf(page, "| `f & g` | T | t | - | f | F |");
        Assert.That(begin, Is.GreaterThan(0));
        for (var row = 0; row < Order.Length; row++)
            Assert.That(
                page[begin + 2 + row],
                Is.EqualTo($"| **{Order[row]}** | {string.Join(" | ", s_and[row].ToCharArray())} |")
            );
    }

    private static Judgement Value(char letter) =>
        letter switch
        {
            'T' => Judgement.Holds,
            't' => Judgement.Holds | Judgement.Partial,
            '-' => Judgement.Partial,
            'f' => Judgement.Fails | Judgement.Partial,
            _ => Judgement.Fails,
        };

    private static char Letter(Judgement value) =>
        (value & ~Judgement.Judged) switch
        {
            Judgement.Holds => 'T',
            Judgement.Holds | Judgement.Partial => 't',
            Judgement.Partial => '-',
            Judgement.Fails | Judgement.Partial => 'f',
            Judgement.Fails => 'F',
            var other => throw new AssertionException($"{other} is none of the five"),
        };
}
