using System.Runtime.CompilerServices;

namespace MqttCheck.ClusterProtocols.Hops;

/// <summary>
/// The numbers of a protocol's own message, so that messages of all protocols are values and need no memory of their
/// own.
/// </summary>
internal struct ControlFields
{
    /// <summary>How many numbers there are.</summary>
    public const int Count = 9;

    [InlineArray(Count)]
    private struct Values
    {
        private long _first;
    }

    private Values _values;

    /// <summary>A number; 0 unless it was set.</summary>
    /// <param name="index">Its place, 0 .. <see cref="Count"/> - 1.</param>
    public long this[int index]
    {
        readonly get => _values[index];
        set => _values[index] = value;
    }
}
