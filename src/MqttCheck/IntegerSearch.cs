namespace MqttCheck;

/// <summary>Searches among whole numbers for the first one from which on something holds.</summary>
internal static class IntegerSearch
{
    /// <summary>The smallest number at which it holds, in as many steps as the number has digits.</summary>
    /// <param name="from">The smallest number to try.</param>
    /// <param name="most">The result if it holds at no smaller number.</param>
    /// <param name="holds">Whether it holds.</param>
    public static int Smallest(int from, int most, Func<int, bool> holds)
    {
        if (holds(from))
            return from;
        int tooFew = from,
            enough = from;
        do (tooFew, enough) = (enough, Math.Min(most, enough * 2));
        while (enough < most && !holds(enough));
        while (enough - tooFew > 1)
        {
            var middle = (tooFew + enough) / 2;
            if (holds(middle))
                enough = middle;
            else
                tooFew = middle;
        }
        return enough;
    }

    /// <summary>The first index at which it holds.</summary>
    /// <param name="count">How many indices there are; returned where it holds at none.</param>
    /// <param name="holds">Whether it holds.</param>
    public static int FirstIndex(int count, Func<int, bool> holds)
    {
        int low = 0,
            high = count;
        while (low < high)
        {
            var middle = (low + high) / 2;
            if (holds(middle))
                high = middle;
            else
                low = middle + 1;
        }
        return low;
    }
}
