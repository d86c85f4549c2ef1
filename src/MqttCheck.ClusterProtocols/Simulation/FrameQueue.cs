namespace MqttCheck.ClusterProtocols.Simulation;

/// <summary>Frames in order, in a ring that grows. A mutable value: hold it in one place.</summary>
internal struct FrameQueue()
{
    private Frame[] _frames = new Frame[16];
    private int _first;

    public int Count { get; private set; }

    /// <summary>The frame that arrives next; there must be one.</summary>
    public readonly ref readonly Frame First => ref _frames[_first];

    /// <summary>A place at the end, to be filled in.</summary>
    public ref Frame Append()
    {
        if (Count == _frames.Length)
            Grow();
        return ref _frames[(_first + Count++) & (_frames.Length - 1)];
    }

    public void RemoveFirst()
    {
        _first = (_first + 1) & (_frames.Length - 1);
        Count--;
    }

    public void Clear()
    {
        // Messages of an earlier run must not be kept alive.
        Array.Clear(_frames);
        (_first, Count) = (0, 0);
    }

    private void Grow()
    {
        var grown = new Frame[2 * _frames.Length];
        for (var i = 0; i < Count; i++)
            grown[i] = _frames[(_first + i) & (_frames.Length - 1)];
        (_frames, _first) = (grown, 0);
    }
}
