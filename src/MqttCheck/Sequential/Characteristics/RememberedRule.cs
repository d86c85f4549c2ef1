namespace MqttCheck.Sequential.Characteristics;

/// <summary>
/// Answers of a rule for (successes, samples), remembered: an audit asks for the same ones at each of thousands of
/// probabilities. Several threads may share it.
/// </summary>
/// <typeparam name="TAnswer">The answer.</typeparam>
/// <param name="rule">The rule.</param>
/// <param name="toByte">The answer as a number, 0 .. 254.</param>
/// <param name="ofByte">The answer of a number.</param>
internal sealed class RememberedRule<TAnswer>(
    Func<long, long, TAnswer> rule,
    Func<TAnswer, byte> toByte,
    Func<byte, TAnswer> ofByte
)
{
    // Beyond this many samples the table would take more memory than the answers are worth.
    private const int MostSamples = 4096;

    // By samples, then by successes: the answer plus 1, or 0 where it is not known. Threads that meet compute the same
    // number.
    private readonly byte[]?[] _known = new byte[]?[MostSamples + 1];

    public TAnswer Answer(long successes, long samples)
    {
        if (samples > MostSamples)
            return rule(successes, samples);
        var row = Volatile.Read(ref _known[samples]);
        if (row is null)
        {
            row = new byte[samples + 1];
            row = Interlocked.CompareExchange(ref _known[samples], row, null) ?? row;
        }
        if (row[successes] is var known and > 0)
            return ofByte((byte)(known - 1));
        var answer = rule(successes, samples);
        row[successes] = (byte)(toByte(answer) + 1);
        return answer;
    }
}
