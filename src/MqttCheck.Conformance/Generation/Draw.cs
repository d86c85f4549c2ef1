using FsCheck;
using FsCheck.Fluent;

namespace MqttCheck.Conformance.Generation;

/// <summary>Small generators that the others are composed of.</summary>
internal static class Draw
{
    private static readonly Gen<bool>[] s_chances =
    [
        .. Enumerable.Range(0, 1001).Select(bound => Gen.Choose(0, 999).Select(number => number < bound)),
    ];

    /// <summary>True with a probability, a multiple of .001.</summary>
    public static Gen<bool> Chance(double probability) => s_chances[(int)Math.Round(probability * 1000)];

    /// <summary>A value with a probability, else null.</summary>
    public static Gen<T?> Sometimes<T>(double probability, Gen<T> value)
        where T : struct =>
        Chance(probability).SelectMany(isDrawn => isDrawn ? value.Select(drawn => (T?)drawn) : Gen.Constant<T?>(null));

    /// <summary>Draws from a generator if a condition holds; otherwise the result is a constant.</summary>
    public static Gen<T> Where<T>(bool holds, Gen<T> value, T otherwise) => holds ? value : Gen.Constant(otherwise);

    /// <summary>1 .. <paramref name="most"/> different elements.</summary>
    public static Gen<T[]> Some<T>(T[] all, int most) =>
        from count in Gen.Choose(1, Math.Min(most, all.Length))
        from shuffled in Gen.Shuffle(all)
        select shuffled[..count];

    /// <summary>
    /// Options, each with its own probability and independent of the others, up to one in a million. A single draw:
    /// options are many, and most of them rare.
    /// </summary>
    public static Gen<CommandOptions> Options(params (CommandOptions Option, double Probability)[] options)
    {
        var subsets = new List<(double Probability, CommandOptions Options)> { (1, CommandOptions.None) };
        foreach (var (option, probability) in options)
            subsets =
            [
                .. subsets.SelectMany(subset =>
                    new[]
                    {
                        (subset.Probability * (1 - probability), subset.Options),
                        (subset.Probability * probability, subset.Options | option),
                    }
                ),
            ];
        return Gen.Frequency(
            subsets
                .OrderByDescending(subset => subset.Probability)
                .Select(subset => ((int)Math.Round(subset.Probability * 1e6), Gen.Constant(subset.Options)))
                .Where(choice => choice.Item1 > 0)
                .ToArray()
        );
    }
}
