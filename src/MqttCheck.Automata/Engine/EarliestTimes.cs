using System.Numerics;

namespace MqttCheck.Automata.Engine;

/// <summary>
/// Times by number, of which the earliest is known: a tournament in which the earlier time wins, and of equal times the
/// one with the smaller number. A change replays the games on one path to the root, without a branch that depends on
/// the times, so that it costs the same whatever they are.
/// </summary>
internal sealed class EarliestTimes
{
    private readonly int _count,
        _leaves;
    private readonly double[] _times;

    // The winner of each game, as in a heap: game 1 is the last one, the games 2 g and 2 g + 1 lead to game g, and each
    // leaf has won a game of its own.
    private readonly int[] _winners;

    public EarliestTimes(int count)
    {
        _count = count;
        _leaves = (int)BitOperations.RoundUpToPowerOf2((uint)Math.Max(1, count));
        _times = new double[_leaves];
        _winners = new int[2 * _leaves];
        Clear();
    }

    /// <summary>The number with the smallest time.</summary>
    public int First => _winners[1];

    /// <summary>The smallest time.</summary>
    public double FirstTime => _times[_winners[1]];

    /// <summary>Whether another number shares the smallest time.</summary>
    public bool HasTie
    {
        get
        {
            // If there is a tie, some number with the smallest time lost a game directly to the first number.
            var (times, winners) = (_times, _winners);
            var time = times[winners[1]];
            for (var game = winners[1] + _leaves; game > 1; game >>= 1)
                if (times[winners[game ^ 1]] == time)
                    return true;
            return false;
        }
    }

    /// <summary>The time of a number.</summary>
    public double this[int number] => _times[number];

    /// <summary>Adds the numbers that share the smallest time to a list, in ascending order.</summary>
    public void AddTies(List<int> ties)
    {
        var time = FirstTime;
        for (var number = 0; number < _count; number++)
            if (_times[number] == time)
                ties.Add(number);
    }

    /// <summary>Makes all times infinite.</summary>
    public void Clear()
    {
        Array.Fill(_times, double.PositiveInfinity);
        for (var leaf = 0; leaf < _leaves; leaf++)
            _winners[_leaves + leaf] = leaf;
        for (var game = _leaves - 1; game > 0; game--)
            _winners[game] = _winners[2 * game];
    }

    public void CopyFrom(EarliestTimes other)
    {
        other._times.CopyTo(_times, 0);
        other._winners.CopyTo(_winners, 0);
    }

    public void Set(int number, double time)
    {
        var (times, winners) = (_times, _winners);
        if (times[number] == time)
            return;
        times[number] = time;
        var winner = number;
        for (var game = number + _leaves; game > 1; game >>= 1)
        {
            var other = winners[game ^ 1];
            var otherTime = times[other];
            var otherWins = (otherTime < time ? 1 : 0) | ((otherTime == time ? 1 : 0) & (other < winner ? 1 : 0));
            winner += (other - winner) & -otherWins;
            // The smaller of the two times is that of the winner, also for a tie.
            time = Math.Min(time, otherTime);
            winners[game >> 1] = winner;
        }
    }
}
