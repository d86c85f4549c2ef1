using MqttCheck.Protocol;

namespace MqttCheck.Profiles;

/// <summary>
/// The load of a profile over the time of a run: its stages, one after the other, and after the last one the first
/// again. The live fleet and the simulator ask it the same question, so both follow the same course.
/// </summary>
internal sealed class LoadCourse
{
    private readonly ValueList<LoadStage> _stages;
    private readonly double _start;
    private readonly double _round,
        _waitOfRound;

    /// <summary>The course of stages, of which at least one has a load.</summary>
    /// <param name="stages">The stages.</param>
    /// <param name="startMilliseconds">When the first one begins; before that its load holds already.</param>
    public LoadCourse(ValueList<LoadStage> stages, double startMilliseconds)
    {
        (_stages, _start) = (stages, startMilliseconds);
        foreach (var stage in stages.AsSpan())
            (_round, _waitOfRound) = (_round + stage.Seconds * 1000, _waitOfRound + stage.Seconds * 1000 * stage.Load);
    }

    /// <summary>
    /// How long a wait takes that begins now. A stage with twice the load uses it up twice as fast, also one that
    /// begins during the wait.
    /// </summary>
    /// <param name="nowMilliseconds">The time of the run.</param>
    /// <param name="waitMilliseconds">The wait at a load of 1.</param>
    public double Stretch(double nowMilliseconds, double waitMilliseconds)
    {
        var (at, left, passed) = (nowMilliseconds - _start, waitMilliseconds, 0.0);
        if (at < 0)
        {
            var load = _stages[0].Load;
            if (load > 0 && left <= -at * load)
                return left / load;
            (left, passed, at) = (left + at * load, -at, 0);
        }
        at %= _round;
        var stage = Find(ref at);
        while (true)
        {
            var (length, load) = (_stages[stage].Seconds * 1000, _stages[stage].Load);
            if (load > 0 && left <= (length - at) * load)
                return passed + left / load;
            left = Math.Max(0, left - (length - at) * load);
            (passed, at) = (passed + length - at, 0);
            if (++stage < _stages.Count)
                continue;
            stage = 0;
            var rounds = Math.Floor(left / _waitOfRound);
            (left, passed) = (left - rounds * _waitOfRound, passed + rounds * _round);
        }
    }

    /// <summary>The index of the stage at a time.</summary>
    /// <param name="milliseconds">The time of the run.</param>
    public int StageAt(double milliseconds)
    {
        var at = Math.Max(0, milliseconds - _start) % _round;
        return Find(ref at);
    }

    // The stage of a time of the round, which becomes a time of the stage.
    private int Find(ref double at)
    {
        var stage = 0;
        while (stage < _stages.Count - 1 && at >= _stages[stage].Seconds * 1000)
            at -= _stages[stage++].Seconds * 1000;
        return stage;
    }
}
